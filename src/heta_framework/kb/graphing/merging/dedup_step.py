"""What the two deduplication steps have in common: their settings, and how facts are merged by meaning and written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from heta_framework.common.stores.fields import positive
from heta_framework.kb.components import ComponentRef, model_ref, store_ref
from heta_framework.kb.derived.packs import sweep, write_packs
from heta_framework.kb.graphing.config_checks import check_attempts, check_similarity
from heta_framework.kb.graphing.fact_packs import Fact, fact_record, packs_prefix, read_facts
from heta_framework.kb.graphing.merging.kept_replies import KeptReplies
from heta_framework.kb.graphing.merging.kinds import FactKind
from heta_framework.kb.graphing.merging.semantic import MergeOutcome, MergeSettings, SemanticMerge
from heta_framework.kb.graphing.prompts import graph_prompt
from heta_framework.kb.graphing.storing.embedding import FactEmbedding
from heta_framework.kb.search.context import NAMESPACE_ARTIFACT
from heta_framework.kb.steps.cleanup import CleanupTarget

if TYPE_CHECKING:
    from heta_framework.kb.context import StepExecutionContext


@dataclass(frozen=True)
class DedupSettings:
    """Those settings that both steps have."""

    semantic_merge: bool
    similarity_threshold: float
    max_rounds: int
    llm_batch_size: int
    semantic_batch_size: int
    semantic_batch_count: int
    max_attempts: int
    temperature: float
    object_store: str | None
    language_model: str | None
    embedding_model: str | None

    @classmethod
    def of(cls, config: Any) -> DedupSettings:
        """From the config of either step; ValueError where one cannot be."""
        settings = cls(**{name: getattr(config, name) for name in cls.__dataclass_fields__})
        check_attempts(settings.max_attempts, settings.temperature)
        check_similarity("similarity_threshold", settings.similarity_threshold)
        for name in ("max_rounds", "llm_batch_size", "semantic_batch_size", "semantic_batch_count"):
            positive(name, getattr(settings, name))
        return settings

    def named_models(self) -> set[ComponentRef]:
        """The models that are asked for by name and so must be there; the recipe's own are used where they are."""
        pairs = (("language", self.language_model), ("embedding", self.embedding_model))
        return {model_ref(kind, name) for kind, name in pairs if name is not None and self.semantic_merge}


async def all_facts(run: StepExecutionContext, store: str | None, artifact: str) -> list[Fact]:
    """Every fact of the packs that the artifact names."""
    found: list[Fact] = []
    async for facts in read_facts(run.objects(store), run.get_artifact(artifact)):
        found += facts
    return found


async def merged_by_meaning(
    run: StepExecutionContext, kind: FactKind, facts: list[Fact], settings: DedupSettings, *, step: str
) -> MergeOutcome:
    """The facts with those that mean the same as one, where the recipe has both models; else as they are."""
    language = model_ref("language", settings.language_model)
    embedding = model_ref("embedding", settings.embedding_model)
    there = run.recipe.has_component(language) and run.recipe.has_component(embedding)
    if not (settings.semantic_merge and there and facts):
        return MergeOutcome(facts)
    model = run.get_component(language.key)
    replies = kept_replies(run, kind, model.model_name, settings.temperature, step=step, store=settings.object_store)
    merge = SemanticMerge(
        kind,
        MergeSettings(
            step,
            settings.similarity_threshold,
            settings.llm_batch_size,
            settings.semantic_batch_count,
            settings.max_rounds,
            settings.max_attempts,
            settings.temperature,
        ),
        language=model,
        embedding=FactEmbedding(
            run,
            run.get_component(embedding.key),
            step,
            store=settings.object_store,
            batch_size=settings.semantic_batch_size,
        ),
        replies=replies,
    )
    outcome = await merge.run(facts)
    await replies.forget_unused()
    for issue in outcome.issues:
        run.report(issue)
    return outcome


def kept_replies(
    run: StepExecutionContext, kind: FactKind, model_name: str, temperature: float, *, step: str, store: str | None
) -> KeptReplies:
    """The replies of this knowledge base about this kind of facts."""
    version = graph_prompt(kind.prompt).version
    cache = run.cache(_reply_step(step, run.namespace), version, model_name, temperature, store=store)
    return KeptReplies(run.objects(store), cache)


def reply_cleanup(artifacts: Mapping[str, Any], step: str, store: str | None) -> tuple[CleanupTarget, ...]:
    """The replies of a knowledge base, as far as it has a namespace."""
    namespace = artifacts.get(NAMESPACE_ARTIFACT)
    if not namespace:
        return ()
    folder = f"_heta/cache/{_reply_step(step, namespace)}"
    return (CleanupTarget("runtime_prefix", folder, store_ref("objects", store).key),)


def _reply_step(step: str, namespace: str) -> str:
    return f"{step}_{namespace}"


async def written_facts(
    run: StepExecutionContext, store: str | None, prefix: str, artifact: str, id_field: str, facts: Iterable[Fact]
) -> tuple[str, ...]:
    """Write merged facts, in the order of their ids; the keys of the packs."""
    objects = run.objects(store)
    placed = packs_prefix(prefix, run.namespace)
    await sweep(objects, placed, run.artifacts.get(artifact) or ())
    ordered = sorted(facts, key=lambda fact: str(fact[id_field]))
    records = await to_thread.run_sync(lambda: [fact_record(fact[id_field], fact) for fact in ordered])
    return await write_packs(objects, placed, records)
