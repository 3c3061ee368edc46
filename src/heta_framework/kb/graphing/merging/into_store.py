"""New facts against those in the store: only sets that hold some of both are put before a model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from heta_framework.kb.components import model_ref
from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.merging.dedup_step import kept_replies
from heta_framework.kb.graphing.merging.id_mapping import IdMapping
from heta_framework.kb.graphing.merging.kept_replies import KeptReplies
from heta_framework.kb.graphing.merging.kinds import FactKind
from heta_framework.kb.graphing.merging.relations import merge_relations_exactly
from heta_framework.kb.graphing.merging.semantic import MergeSettings, SemanticMerge
from heta_framework.kb.graphing.storing.embedding import FactEmbedding

if TYPE_CHECKING:
    from heta_framework.kb.context import StepExecutionContext
    from heta_framework.kb.graphing.graph_place import GraphPlace

_PURPOSES = {"entity_id": "entity_graph_index", "relation_id": "relation_graph_index"}


class IntoStore:
    """Merges the facts of one run into a store."""

    def __init__(
        self, run: StepExecutionContext, settings: MergeSettings, place: GraphPlace, *, language_model: str | None
    ) -> None:
        self._run = run
        self._settings = settings
        self._store = place.object_store
        self._batch_size = place.batch_size
        self._language = model_ref("language", language_model)
        self._embedding = model_ref("embedding", place.embedding_model)
        self._replies: list[KeptReplies] = []

    async def merged(self, kind: FactKind, facts: list[Fact], held: Collection[str]) -> list[Fact]:
        """The facts, those that mean the same as one; as they are where a model is missing, or nothing is new.

        Args:
            held: ids of the facts in the store.
        """
        recipe = self._run.recipe
        new = {fact[kind.id_field] for fact in facts} - set(held)
        there = recipe.has_component(self._language) and recipe.has_component(self._embedding)
        if not there or not held or not new:
            return facts

        def mixed(batch: Sequence[Fact]) -> bool:
            fresh = sum(fact[kind.id_field] in new for fact in batch)
            return 0 < fresh < len(batch)

        language = self._run.get_component(self._language.key)
        merge = SemanticMerge(
            kind,
            replace(self._settings, embed_purpose=_PURPOSES[kind.id_field]),
            language=language,
            embedding=FactEmbedding(
                self._run,
                self._run.get_component(self._embedding.key),
                self._settings.step,
                store=self._store,
                batch_size=self._batch_size,
            ),
            replies=self._kept(kind, language.model_name),
            may_merge=mixed,
        )
        outcome = await merge.run(facts)
        for issue in outcome.issues:
            self._run.report(issue)
        return outcome.facts

    def moved(self, relations: list[Fact], mapping: IdMapping, entities_merged: bool) -> list[Fact]:
        """The relations between what their entities became."""
        return merge_relations_exactly(relations, mapping) if entities_merged else relations

    async def close(self) -> None:
        """Forget the replies that this run did not need."""
        for replies in self._replies:
            await replies.forget_unused()

    def _kept(self, kind: FactKind, model_name: str) -> KeptReplies:
        settings = self._settings
        replies = kept_replies(self._run, kind, model_name, settings.temperature, step=settings.step, store=self._store)
        self._replies.append(replies)
        return replies
