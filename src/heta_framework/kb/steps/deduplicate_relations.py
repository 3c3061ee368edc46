"""The step that makes relations one that say the same of the same entities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from heta_framework.kb.context import StepExecutionContext
from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.merging.dedup_step import DedupSettings
from heta_framework.kb.graphing.merging.id_mapping import IdMapping
from heta_framework.kb.graphing.merging.relation_kind import RelationKind
from heta_framework.kb.graphing.merging.relations import merge_relations_exactly
from heta_framework.kb.steps.deduplication import DeduplicationStep, FactPlaces
from heta_framework.kb.steps.issues import StepIssue
from heta_framework.kb.steps.protocol import StepRequirements

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


class DeduplicateRelations(DeduplicationStep):
    """Merges relations of the same entities, type and name, and with models those that mean the same.

    A relation whose two ends became one entity says nothing any more and is dropped.
    """

    name = "deduplicate_relations"
    kind = RelationKind()

    def __init__(self, config: DeduplicateRelationsConfig | None = None) -> None:
        self.config = config or DeduplicateRelationsConfig()

    @property
    def places(self) -> FactPlaces:
        """The packs of relations, and of merged ones."""
        config = self.config
        return FactPlaces(
            source=config.relation_keys_artifact,
            merged=config.deduplicated_relation_keys_artifact,
            prefix=config.deduplicated_relations_prefix,
            mapping=_MAPPING,
            result=_RESULT,
        )

    @property
    def requirements(self) -> StepRequirements:
        """The packs of relations and what became of their entities; models only where they are named."""
        asked, entities = super().requirements, self.config.entity_id_mapping_artifact
        return asked if entities is None else replace(asked, artifacts=asked.artifacts | {entities})

    def merged_exactly(self, facts: Sequence[Fact], run: StepExecutionContext) -> list[Fact]:
        """One relation for each pair of entities, type and name."""
        artifact = self.config.entity_id_mapping_artifact
        ids = IdMapping({}) if artifact is None else IdMapping.of_artifact(run.get_artifact(artifact))
        return merge_relations_exactly(facts, ids)

    def result(self, keys: tuple[str, ...], before: int, after: int, **counts: Any) -> DeduplicateRelationsResult:
        """See `DeduplicationStep.result`."""
        return DeduplicateRelationsResult(keys, before, after, **counts)
