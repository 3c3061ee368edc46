"""The step that makes entities one that are one and the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from heta_framework.kb.context import StepExecutionContext
from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.merging.dedup_step import DedupSettings
from heta_framework.kb.graphing.merging.entities import merge_entities_exactly
from heta_framework.kb.graphing.merging.entity_kind import EntityKind
from heta_framework.kb.steps.deduplication import DeduplicationStep, FactPlaces
from heta_framework.kb.steps.issues import StepIssue

_RESULT = "deduplicate_entities_result"
_MAPPING = "entity_id_mapping"


@dataclass(frozen=True)
class DeduplicateEntitiesConfig:
    """How entities are merged.

    Attributes:
        semantic_merge: whether entities with different names are merged by meaning, where the recipe has an embedding
            and a language model; names that differ in case, plural or spacing alone are always merged.
        similarity_threshold: the least cosine of two entities that a model is asked about.
        llm_batch_size: how many similar entities a model sees at once.
        semantic_batch_size: how many texts are embedded in one request.
        semantic_batch_count: how many batches are asked about at the same time.
    """

    deduplicated_entities_prefix: str = "deduplicated_entities"
    entity_keys_artifact: str = "entity_keys"
    deduplicated_entity_keys_artifact: str = "deduplicated_entity_keys"
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
class DeduplicateEntitiesResult:
    """What was merged.

    Attributes:
        exact_merge_count, semantic_merge_count: entities that became part of another, by name and by meaning.
        failed_group_count: batches of similar entities that stay apart because no reply could be used.
    """

    entity_keys: tuple[str, ...]
    input_entity_count: int
    output_entity_count: int
    exact_merge_count: int
    semantic_merge_count: int
    failed_group_count: int
    exact_round_count: int
    semantic_round_count: int
    issues: tuple[StepIssue, ...]


class DeduplicateEntities(DeduplicationStep):
    """Merges entities of the same name and type, and with models those that mean the same.

    An update looks at all entities again, from what the models replied before: the result is that of a build.
    """

    name = "deduplicate_entities"
    kind = EntityKind()

    def __init__(self, config: DeduplicateEntitiesConfig | None = None) -> None:
        self.config = config or DeduplicateEntitiesConfig()

    @property
    def places(self) -> FactPlaces:
        """The packs of entities, and of merged ones."""
        config = self.config
        return FactPlaces(
            source=config.entity_keys_artifact,
            merged=config.deduplicated_entity_keys_artifact,
            prefix=config.deduplicated_entities_prefix,
            mapping=_MAPPING,
            result=_RESULT,
        )

    def merged_exactly(self, facts: Sequence[Fact], run: StepExecutionContext) -> list[Fact]:
        """One entity for each name and type."""
        return merge_entities_exactly(facts)

    def result(self, keys: tuple[str, ...], before: int, after: int, **counts: Any) -> DeduplicateEntitiesResult:
        """See `DeduplicationStep.result`."""
        return DeduplicateEntitiesResult(keys, before, after, **counts)
