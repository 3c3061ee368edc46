"""The step that makes a graph of entities and relations searchable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from heta_framework.common.stores.fields import positive
from heta_framework.kb.context import execution
from heta_framework.kb.graphing.config_checks import check_metric, check_similarity
from heta_framework.kb.graphing.graph_place import STATE_ARTIFACT, GraphPlace
from heta_framework.kb.graphing.graph_writing import is_whole, write_graph
from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES, RELATIONS
from heta_framework.kb.graphing.storing.fact_records import all_records
from heta_framework.kb.graphing.tables import GraphTableNames, GraphVectorCollections
from heta_framework.kb.steps.cleanup import StepCleanupPlan
from heta_framework.kb.steps.issues import StepIssue
from heta_framework.kb.steps.protocol import StepCapabilities, StepContextProtocol, StepRequirements

GRAPH_QUERIES = frozenset({"heta_graph_search", "ppr_search"})
_RESULT = "build_graph_result"


@dataclass(frozen=True)
class BuildGraphConfig:
    """Where a graph is written.

    Attributes:
        table_names, vector_collections: logical names; each knowledge base has its own tables and collections.
        batch_size: texts of one request to an embedding service.
        synonym_threshold: the least cosine of two entities' names that makes them synonyms; None: no synonyms.
    """

    table_names: GraphTableNames = field(default_factory=GraphTableNames)
    vector_collections: GraphVectorCollections = field(default_factory=GraphVectorCollections)
    entity_keys_artifact: str = "deduplicated_entity_keys"
    relation_keys_artifact: str = "deduplicated_relation_keys"
    chunk_keys_artifact: str = "chunk_keys"
    vector_metric: str = "cosine"
    batch_size: int = 128
    object_store: str | None = None
    sql_store: str | None = None
    vector_store: str | None = None
    embedding_model: str | None = None
    synonym_threshold: float | None = 0.8

    def __post_init__(self) -> None:
        positive("batch_size", self.batch_size)
        check_metric(self.vector_metric)
        if self.synonym_threshold is not None:
            check_similarity("synonym_threshold", self.synonym_threshold)


@dataclass(frozen=True)
class BuildGraphResult:
    """What the stores hold.

    Attributes:
        vector_dimension: of the vectors that this run wrote; 0 where it wrote none.
        skipped_evidence_count: chunks that facts name and that are not in the knowledge base.
    """

    entity_count: int
    relation_count: int
    evidence_count: int
    entity_vector_count: int
    relation_vector_count: int
    vector_dimension: int
    skipped_evidence_count: int
    issues: tuple[StepIssue, ...] = ()


class BuildGraph:
    """Writes entities, relations and their evidence to SQL tables, and their vectors to collections.

    Without an embedding model or a vector store there are tables alone, and facts are found by their words. An update
    writes what differs; a fact goes with the last chunk that states it.
    """

    name = "build_graph"

    def __init__(self, config: BuildGraphConfig | None = None) -> None:
        self.config = config or BuildGraphConfig()

    @property
    def requirements(self) -> StepRequirements:
        """The packs of facts and chunks, and where to write them."""
        config = self.config
        artifacts = {config.entity_keys_artifact, config.relation_keys_artifact, config.chunk_keys_artifact}
        return StepRequirements(frozenset(GraphPlace.of(config).required()), frozenset(artifacts))

    @property
    def capabilities(self) -> StepCapabilities:
        """Search in the graph."""
        return StepCapabilities(
            frozenset({_RESULT, STATE_ARTIFACT}), GRAPH_QUERIES, GraphPlace.of(self.config).assets()
        )

    async def run(self, context: StepContextProtocol) -> None:
        """Bring the stores to hold the facts that there are."""
        run, config = execution(context), self.config
        place = GraphPlace.of(config)
        writer = place.writer(run, self.name)
        await writer.open(empty=run.delta.full)
        entities = await all_records(run, config.object_store, config.entity_keys_artifact, ENTITIES.id_field)
        relations = await all_records(run, config.object_store, config.relation_keys_artifact, RELATIONS.id_field)
        written = await write_graph(run, place, writer, entities, relations, step=self.name)
        result = BuildGraphResult(
            written.entity_count,
            written.relation_count,
            written.evidence_count,
            written.entity_vectors,
            written.relation_vectors,
            written.dimension,
            written.entities.skipped_evidence + written.relations.skipped_evidence,
            tuple(run.issues),
        )
        run.set_artifact(_RESULT, result)

    async def intact(self, context: StepContextProtocol) -> bool:
        """Whether the stores hold what the finished run left."""
        return await is_whole(execution(context), GraphPlace.of(self.config), self.name)

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """Tables and collections."""
        return GraphPlace.of(self.config).cleanup(artifacts)
