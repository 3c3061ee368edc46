"""The step that makes entities one that are one and the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from anyio import to_thread

from heta_framework.kb.components import store_ref
from heta_framework.kb.context import execution
from heta_framework.kb.graphing.merging.dedup_step import (
    DedupSettings,
    all_facts,
    merged_by_meaning,
    reply_cleanup,
    written_facts,
)
from heta_framework.kb.graphing.merging.entities import ENTITY_ID, merge_entities_exactly
from heta_framework.kb.graphing.merging.entity_kind import EntityKind
from heta_framework.kb.graphing.merging.id_mapping import IdMapping
from heta_framework.kb.steps.cleanup import StepCleanupPlan
from heta_framework.kb.steps.issues import StepIssue
from heta_framework.kb.steps.pack_artifacts import pack_cleanup, packs_are_whole
from heta_framework.kb.steps.protocol import StepCapabilities, StepContextProtocol, StepRequirements

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


class DeduplicateEntities:
    """Merges entities of the same name and type, and with models those that mean the same.

    An update looks at all entities again, from what the models replied before: the result is that of a build.
    """

    name = "deduplicate_entities"

    def __init__(self, config: DeduplicateEntitiesConfig | None = None) -> None:
        self.config = config or DeduplicateEntitiesConfig()

    @property
    def requirements(self) -> StepRequirements:
        """The packs of entities; models only where they are named."""
        components = {store_ref("objects", self.config.object_store), *DedupSettings.of(self.config).named_models()}
        return StepRequirements(frozenset(components), frozenset({self.config.entity_keys_artifact}))

    @property
    def capabilities(self) -> StepCapabilities:
        """The packs of merged entities, and which entity became which."""
        return StepCapabilities(frozenset({self.config.deduplicated_entity_keys_artifact, _MAPPING, _RESULT}))

    async def run(self, context: StepContextProtocol) -> None:
        """Merge all entities there are."""
        run, config = execution(context), self.config
        facts = await all_facts(run, config.object_store, config.entity_keys_artifact)
        exact = await to_thread.run_sync(merge_entities_exactly, facts)
        outcome = await merged_by_meaning(run, EntityKind(), exact, DedupSettings.of(config), step=self.name)
        artifact, prefix = config.deduplicated_entity_keys_artifact, config.deduplicated_entities_prefix
        keys = await written_facts(run, config.object_store, prefix, artifact, ENTITY_ID, outcome.facts)
        result = DeduplicateEntitiesResult(
            entity_keys=keys,
            input_entity_count=len(facts),
            output_entity_count=len(outcome.facts),
            exact_merge_count=len(facts) - len(exact),
            semantic_merge_count=outcome.merged,
            failed_group_count=outcome.failed,
            exact_round_count=1,
            semantic_round_count=outcome.rounds,
            issues=tuple(outcome.issues),
        )
        run.set_artifact(_RESULT, result)
        run.set_artifact(artifact, keys)
        run.set_artifact(_MAPPING, IdMapping.of(outcome.facts, ENTITY_ID))

    async def intact(self, context: StepContextProtocol) -> bool:
        """Whether the packs can be read."""
        artifact = self.config.deduplicated_entity_keys_artifact
        return await packs_are_whole(execution(context), artifact, self.config.object_store)

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """The packs, and the models' replies."""
        config = self.config
        prefix, artifact = config.deduplicated_entities_prefix, config.deduplicated_entity_keys_artifact
        packs = pack_cleanup(artifacts, artifact, prefix, config.object_store)
        return StepCleanupPlan((*packs.targets, *reply_cleanup(artifacts, self.name, config.object_store)))
