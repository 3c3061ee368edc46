"""The step that makes relations one that say the same of the same entities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from anyio import to_thread

from heta_framework.kb.components import store_ref
from heta_framework.kb.context import StepExecutionContext, execution
from heta_framework.kb.graphing.merging.dedup_step import (
    DedupSettings,
    all_facts,
    merged_by_meaning,
    reply_cleanup,
    written_facts,
)
from heta_framework.kb.graphing.merging.id_mapping import IdMapping
from heta_framework.kb.graphing.merging.relation_kind import RelationKind
from heta_framework.kb.graphing.merging.relations import RELATION_ID, merge_relations_exactly
from heta_framework.kb.steps.cleanup import StepCleanupPlan
from heta_framework.kb.steps.issues import StepIssue
from heta_framework.kb.steps.pack_artifacts import pack_cleanup, packs_are_whole
from heta_framework.kb.steps.protocol import StepCapabilities, StepContextProtocol, StepRequirements

_RESULT = "deduplicate_relations_result"
_MAPPING = "relation_id_mapping"


@dataclass(frozen=True)
class DeduplicateRelationsConfig:
    """How relations are merged.

    Attributes:
        entity_id_mapping_artifact: which entity became which; None where entities were not merged.
        semantic_merge: whether relations of the same two entities are merged by meaning, where the recipe has an
            embedding and a language model.
        similarity_threshold ... semantic_batch_count: see `DeduplicateEntitiesConfig`.
    """

    deduplicated_relations_prefix: str = "deduplicated_relations"
    relation_keys_artifact: str = "relation_keys"
    deduplicated_relation_keys_artifact: str = "deduplicated_relation_keys"
    entity_id_mapping_artifact: str | None = "entity_id_mapping"
    semantic_merge: bool = True
    similarity_threshold: float = 0.9
    max_rounds: int = 10
    llm_batch_size: int = 20
    semantic_batch_size: int = 100
    semantic_batch_count: int = 4
    max_attempts: int = 3
    temperature: float = 0.0
    object_store: str | None = None
    language_model: str | None = None
    embedding_model: str | None = None

    def __post_init__(self) -> None:
        DedupSettings.of(self)


@dataclass(frozen=True)
class DeduplicateRelationsResult:
    """What was merged.

    Attributes:
        exact_merge_count: relations that became part of another, or whose two ends became one entity.
        semantic_merge_count: relations that became part of another by meaning.
        failed_group_count: batches of similar relations that stay apart because no reply could be used.
    """

    relation_keys: tuple[str, ...]
    input_relation_count: int
    output_relation_count: int
    exact_merge_count: int
    semantic_merge_count: int
    failed_group_count: int
    exact_round_count: int
    semantic_round_count: int
    issues: tuple[StepIssue, ...]


class DeduplicateRelations:
    """Merges relations of the same entities, type and name, and with models those that mean the same.

    A relation whose two ends became one entity says nothing any more and is dropped.
    """

    name = "deduplicate_relations"

    def __init__(self, config: DeduplicateRelationsConfig | None = None) -> None:
        self.config = config or DeduplicateRelationsConfig()

    @property
    def requirements(self) -> StepRequirements:
        """The packs of relations and what became of their entities; models only where they are named."""
        config = self.config
        components = {store_ref("objects", config.object_store), *DedupSettings.of(config).named_models()}
        artifacts = (config.relation_keys_artifact, config.entity_id_mapping_artifact)
        return StepRequirements(frozenset(components), frozenset(name for name in artifacts if name is not None))

    @property
    def capabilities(self) -> StepCapabilities:
        """The packs of merged relations, and which relation became which."""
        return StepCapabilities(frozenset({self.config.deduplicated_relation_keys_artifact, _MAPPING, _RESULT}))

    async def run(self, context: StepContextProtocol) -> None:
        """Merge all relations there are."""
        run, config = execution(context), self.config
        facts = await all_facts(run, config.object_store, config.relation_keys_artifact)
        exact = await to_thread.run_sync(partial(merge_relations_exactly, facts, self._mapping(run)))
        outcome = await merged_by_meaning(run, RelationKind(), exact, DedupSettings.of(config), step=self.name)
        artifact, prefix = config.deduplicated_relation_keys_artifact, config.deduplicated_relations_prefix
        keys = await written_facts(run, config.object_store, prefix, artifact, RELATION_ID, outcome.facts)
        result = DeduplicateRelationsResult(
            relation_keys=keys,
            input_relation_count=len(facts),
            output_relation_count=len(outcome.facts),
            exact_merge_count=len(facts) - len(exact),
            semantic_merge_count=outcome.merged,
            failed_group_count=outcome.failed,
            exact_round_count=1,
            semantic_round_count=outcome.rounds,
            issues=tuple(outcome.issues),
        )
        run.set_artifact(_RESULT, result)
        run.set_artifact(artifact, keys)
        run.set_artifact(_MAPPING, IdMapping.of(outcome.facts, RELATION_ID))

    async def intact(self, context: StepContextProtocol) -> bool:
        """Whether the packs can be read."""
        artifact = self.config.deduplicated_relation_keys_artifact
        return await packs_are_whole(execution(context), artifact, self.config.object_store)

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """The packs, and the models' replies."""
        config = self.config
        prefix, artifact = config.deduplicated_relations_prefix, config.deduplicated_relation_keys_artifact
        packs = pack_cleanup(artifacts, artifact, prefix, config.object_store)
        return StepCleanupPlan((*packs.targets, *reply_cleanup(artifacts, self.name, config.object_store)))

    def _mapping(self, run: StepExecutionContext) -> IdMapping:
        artifact = self.config.entity_id_mapping_artifact
        return IdMapping({}) if artifact is None else IdMapping.of_artifact(run.get_artifact(artifact))
