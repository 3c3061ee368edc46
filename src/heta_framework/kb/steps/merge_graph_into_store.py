"""The step that merges new facts into those that the stores hold already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from anyio import to_thread

from heta_framework.common.stores.fields import positive
from heta_framework.kb.components import model_ref
from heta_framework.kb.context import execution
from heta_framework.kb.graphing.config_checks import check_metric, check_similarity, check_temperature
from heta_framework.kb.graphing.graph_place import STATE_ARTIFACT, GraphPlace
from heta_framework.kb.graphing.graph_writing import WrittenGraph, is_whole, write_graph
from heta_framework.kb.graphing.merging.dedup_step import all_facts, reply_cleanup
from heta_framework.kb.graphing.merging.entities import ENTITY_ID
from heta_framework.kb.graphing.merging.entity_kind import EntityKind
from heta_framework.kb.graphing.merging.id_mapping import IdMapping
from heta_framework.kb.graphing.merging.into_store import IntoStore
from heta_framework.kb.graphing.merging.relation_kind import RelationKind
from heta_framework.kb.graphing.merging.semantic import MergeSettings
from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES, RELATIONS
from heta_framework.kb.graphing.storing.fact_records import encoded_facts
from heta_framework.kb.graphing.tables import GraphTableNames, GraphVectorCollections
from heta_framework.kb.steps.build_graph import GRAPH_QUERIES
from heta_framework.kb.steps.cleanup import StepCleanupPlan
from heta_framework.kb.steps.issues import StepIssue
from heta_framework.kb.steps.protocol import StepCapabilities, StepContextProtocol, StepRequirements

_RESULT = "merge_graph_into_store_result"
_USUAL_THRESHOLD = 0.9
_MOST_ROUNDS = 1
_BATCHES_AT_ONCE = 4


@dataclass(frozen=True)
class MergeGraphIntoStoreConfig:
    """How facts are merged into a store, and where it is.

    Attributes:
        table_names ... batch_size, synonym_threshold: see `BuildGraphConfig`.
        similarity_threshold: the least cosine of a new fact and one in the store for a model to be asked; None: 0.9.
        top_k: how many of its nearest a fact is compared with.
        llm_max_retries: how often a model is asked again when its reply cannot be used.
    """

    table_names: GraphTableNames = field(default_factory=GraphTableNames)
    vector_collections: GraphVectorCollections = field(default_factory=GraphVectorCollections)
    entity_keys_artifact: str = "deduplicated_entity_keys"
    relation_keys_artifact: str = "deduplicated_relation_keys"
    chunk_keys_artifact: str = "chunk_keys"
    vector_metric: str = "cosine"
    similarity_threshold: float | None = None
    top_k: int = 8
    batch_size: int = 64
    llm_max_retries: int = 2
    temperature: float = 0
    object_store: str | None = None
    sql_store: str | None = None
    vector_store: str | None = None
    embedding_model: str | None = None
    language_model: str | None = None
    synonym_threshold: float | None = 0.8

    def __post_init__(self) -> None:
        positive("batch_size", self.batch_size)
        positive("top_k", self.top_k)
        check_metric(self.vector_metric)
        check_temperature(self.temperature)
        if self.llm_max_retries < 0:
            raise ValueError(f"llm_max_retries must not be negative, found {self.llm_max_retries}")
        for name in ("similarity_threshold", "synonym_threshold"):
            if getattr(self, name) is not None:
                check_similarity(name, getattr(self, name))


@dataclass(frozen=True)
class MergeGraphIntoStoreResult:
    """What was done.

    Attributes:
        inserted_entity_count, inserted_relation_count: facts that the store did not hold.
        merged_entity_count, merged_relation_count: facts that became part of another.
        deleted_entity_count, deleted_relation_count: facts that the store held and that are gone: merged into others,
            or no chunk states them any more.
        evidence_count: rows of evidence in the store.
    """

    input_entity_count: int
    input_relation_count: int
    inserted_entity_count: int
    inserted_relation_count: int
    merged_entity_count: int
    merged_relation_count: int
    deleted_entity_count: int
    deleted_relation_count: int
    evidence_count: int
    issues: tuple[StepIssue, ...] = ()


class MergeGraphIntoStore:
    """Writes a graph like `BuildGraph`; facts that an update brings are first compared with those in the store.

    Vectors say which may be the same, a language model says which are; without both, facts are the same when
    deduplication says so. A build begins with an empty store and compares nothing.
    """

    name = "merge_graph_into_store"

    def __init__(self, config: MergeGraphIntoStoreConfig | None = None) -> None:
        self.config = config or MergeGraphIntoStoreConfig()

    @property
    def requirements(self) -> StepRequirements:
        """The packs of facts and chunks, and where to write them; models only where they are named."""
        config = self.config
        artifacts = {config.entity_keys_artifact, config.relation_keys_artifact, config.chunk_keys_artifact}
        components = GraphPlace.of(config).required()
        if config.language_model is not None:
            components.add(model_ref("language", config.language_model))
        return StepRequirements(frozenset(components), frozenset(artifacts))

    @property
    def capabilities(self) -> StepCapabilities:
        """Search in the graph."""
        assets = GraphPlace.of(self.config).assets()
        return StepCapabilities(frozenset({_RESULT, STATE_ARTIFACT}), GRAPH_QUERIES, assets)

    async def run(self, context: StepContextProtocol) -> None:
        """Merge, and bring the stores to hold what there is."""
        run, config = execution(context), self.config
        place = GraphPlace.of(config)
        writer = place.writer(run, self.name)
        await writer.open(empty=run.delta.full)
        entities = await all_facts(run, config.object_store, config.entity_keys_artifact)
        relations = await all_facts(run, config.object_store, config.relation_keys_artifact)
        into = IntoStore(run, self._settings(), place, language_model=config.language_model)
        kept_entities = await into.merged(EntityKind(), entities, await writer.tables.known(ENTITIES))
        mapping = IdMapping.between(entities, kept_entities, ENTITY_ID)
        moved = await to_thread.run_sync(partial(into.moved, relations, mapping, len(kept_entities) < len(entities)))
        kept_relations = await into.merged(RelationKind(), moved, await writer.tables.known(RELATIONS))
        await into.close()
        written = await write_graph(
            run,
            place,
            writer,
            await to_thread.run_sync(encoded_facts, kept_entities, ENTITIES.id_field),
            await to_thread.run_sync(encoded_facts, kept_relations, RELATIONS.id_field),
            step=self.name,
        )
        inputs = (len(entities), len(relations))
        kept = (len(kept_entities), len(kept_relations))
        run.set_artifact(_RESULT, _result(inputs, kept, written, tuple(run.issues)))

    async def intact(self, context: StepContextProtocol) -> bool:
        """Whether the stores hold what the finished run left."""
        return await is_whole(execution(context), GraphPlace.of(self.config), self.name)

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """Tables, collections, and the models' replies."""
        plan = GraphPlace.of(self.config).cleanup(artifacts)
        return StepCleanupPlan((*plan.targets, *reply_cleanup(artifacts, self.name, self.config.object_store)))

    def _settings(self) -> MergeSettings:
        config = self.config
        return MergeSettings(
            self.name,
            _USUAL_THRESHOLD if config.similarity_threshold is None else config.similarity_threshold,
            config.top_k + 1,
            _BATCHES_AT_ONCE,
            _MOST_ROUNDS,
            config.llm_max_retries + 1,
            config.temperature,
            phase=None,
            top_k=config.top_k,
        )


def _result(
    inputs: tuple[int, int], kept: tuple[int, int], written: WrittenGraph, issues: tuple[StepIssue, ...]
) -> MergeGraphIntoStoreResult:
    entities, relations = written.entities, written.relations
    return MergeGraphIntoStoreResult(
        input_entity_count=inputs[0],
        input_relation_count=inputs[1],
        inserted_entity_count=len(entities.inserted),
        inserted_relation_count=len(relations.inserted),
        merged_entity_count=inputs[0] - kept[0],
        merged_relation_count=inputs[1] - kept[1],
        deleted_entity_count=len(entities.deleted),
        deleted_relation_count=len(relations.deleted),
        evidence_count=written.evidence_count,
        issues=issues,
    )
