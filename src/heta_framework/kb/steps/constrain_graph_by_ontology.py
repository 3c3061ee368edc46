"""The step that keeps of the extracted facts those that fit a schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heta_framework.kb.components import model_ref, store_ref
from heta_framework.kb.context import execution
from heta_framework.kb.graphing.config_checks import check_attempts
from heta_framework.kb.graphing.constraining.constraint import Constraint
from heta_framework.kb.steps.cleanup import StepCleanupPlan
from heta_framework.kb.steps.pack_artifacts import pack_cleanup, packs_are_whole
from heta_framework.kb.steps.protocol import StepCapabilities, StepContextProtocol, StepRequirements


@dataclass(frozen=True)
class ConstrainGraphByOntologyConfig:
    """What a graph may hold.

    Attributes:
        schema: for a language model, of any shape. Where the recipe has none, the lists ``entity_types`` and
            ``relation_types`` decide: facts of other types (or subtypes) go.
    """

    schema: Mapping[str, Any]
    entities_prefix: str = "ontology/entities"
    relations_prefix: str = "ontology/relations"
    max_attempts: int = 3
    temperature: float = 0.0
    object_store: str | None = None
    language_model: str | None = None
    chunk_keys_artifact: str = "chunk_keys"
    entity_keys_artifact: str = "entity_keys"
    relation_keys_artifact: str = "relation_keys"
    constrained_entity_keys_artifact: str = "ontology_entity_keys"
    constrained_relation_keys_artifact: str = "ontology_relation_keys"
    result_artifact: str = "constrain_graph_by_ontology_result"

    def __post_init__(self) -> None:
        if not self.schema:
            raise ValueError("schema must not be empty")
        check_attempts(self.max_attempts, self.temperature)
        object.__setattr__(self, "schema", dict(self.schema))


@dataclass(frozen=True)
class ConstrainGraphByOntologyResult:
    """What was kept.

    Attributes:
        failed_chunk_ids: chunks about which a model gave no usable reply; nothing of them is kept.
    """

    entity_keys: tuple[str, ...]
    relation_keys: tuple[str, ...]
    input_entity_count: int
    input_relation_count: int
    entity_count: int
    relation_count: int
    failed_chunk_ids: tuple[str, ...]


class ConstrainGraphByOntology:
    """Keeps the entities and relations that fit a schema, chunk by chunk; a relation goes with either of its ends."""

    name = "constrain_graph_by_ontology"

    def __init__(self, config: ConstrainGraphByOntologyConfig) -> None:
        self.config = config

    @property
    def requirements(self) -> StepRequirements:
        """Chunks and what was extracted from them; a model only where one is named."""
        config = self.config
        components = {store_ref("objects", config.object_store)}
        if config.language_model is not None:
            components.add(model_ref("language", config.language_model))
        artifacts = {config.chunk_keys_artifact, config.entity_keys_artifact, config.relation_keys_artifact}
        return StepRequirements(frozenset(components), frozenset(artifacts))

    @property
    def capabilities(self) -> StepCapabilities:
        """The packs of what is kept."""
        config = self.config
        kept = {config.constrained_entity_keys_artifact, config.constrained_relation_keys_artifact}
        return StepCapabilities(frozenset(kept | {config.result_artifact}))

    async def run(self, context: StepContextProtocol) -> None:
        """Go through all chunks; what a model said of an unchanged one is not asked again.

        Raises:
            StepError: there is neither a model nor a list of types in the schema.
        """
        run, config = execution(context), self.config
        constraint = Constraint(run, config, self.name)
        entity_keys, relation_keys = await constraint.written()
        count = constraint.count
        result = ConstrainGraphByOntologyResult(
            entity_keys,
            relation_keys,
            count.input_entities,
            count.input_relations,
            count.entities,
            count.relations,
            tuple(count.failed),
        )
        run.set_artifact(config.result_artifact, result)
        run.set_artifact(config.constrained_entity_keys_artifact, entity_keys)
        run.set_artifact(config.constrained_relation_keys_artifact, relation_keys)

    async def intact(self, context: StepContextProtocol) -> bool:
        """Whether the packs can be read."""
        run, config = execution(context), self.config
        names = (config.constrained_entity_keys_artifact, config.constrained_relation_keys_artifact)
        return all([await packs_are_whole(run, name, config.object_store) for name in names])

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """The packs."""
        config = self.config
        kinds = (
            (config.constrained_entity_keys_artifact, config.entities_prefix),
            (config.constrained_relation_keys_artifact, config.relations_prefix),
        )
        plans = [pack_cleanup(artifacts, artifact, prefix, config.object_store) for artifact, prefix in kinds]
        return StepCleanupPlan(tuple(target for plan in plans for target in plan.targets))
