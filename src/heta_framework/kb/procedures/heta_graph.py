"""The procedure that makes a knowledge graph: extract, constrain if asked to, deduplicate, write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from heta_framework.kb.graphing.extracting.choosing import Extraction, checked_extraction
from heta_framework.kb.graphing.tables import GraphTableNames, GraphVectorCollections
from heta_framework.kb.steps.build_graph import BuildGraph, BuildGraphConfig
from heta_framework.kb.steps.constrain_graph_by_ontology import ConstrainGraphByOntology, ConstrainGraphByOntologyConfig
from heta_framework.kb.steps.deduplicate_entities import DeduplicateEntities, DeduplicateEntitiesConfig
from heta_framework.kb.steps.deduplicate_relations import DeduplicateRelations, DeduplicateRelationsConfig
from heta_framework.kb.steps.extract_universal_graph import ExtractUniversalGraph, ExtractUniversalGraphConfig
from heta_framework.kb.steps.merge_graph_into_store import MergeGraphIntoStore, MergeGraphIntoStoreConfig

if TYPE_CHECKING:
    from heta_framework.kb.steps.protocol import KnowledgeStepProtocol

GraphProcedureMode = Literal["build", "merge_into_store"]

_ONTOLOGY_ENTITIES = "ontology_entity_keys"
_ONTOLOGY_RELATIONS = "ontology_relation_keys"


@dataclass(frozen=True)
class HetaGraphProcedure:
    """Entities and relations of all chunks, searchable by ``heta_graph_search`` and ``ppr_search``.

    Attributes:
        mode: ``build`` writes the graph; ``merge_into_store`` also compares what an update brings with what is there.
        deduplicate: whether equal entities and relations become one.
        schema_constraint_enabled: whether only what fits ``ontology_schema`` is kept.
        extraction, spacy_pipeline: see `ExtractUniversalGraphConfig`.
        semantic_merge: whether deduplication also merges by meaning, where the recipe has the models for it.
    """

    mode: GraphProcedureMode = "build"
    deduplicate: bool = True
    schema_constraint_enabled: bool = False
    ontology_schema: Mapping[str, Any] = field(default_factory=dict)
    chunk_keys_artifact: str = "chunk_keys"
    entity_keys_artifact: str = "entity_keys"
    relation_keys_artifact: str = "relation_keys"
    deduplicated_entity_keys_artifact: str = "deduplicated_entity_keys"
    deduplicated_relation_keys_artifact: str = "deduplicated_relation_keys"
    table_names: GraphTableNames = field(default_factory=GraphTableNames)
    vector_collections: GraphVectorCollections = field(default_factory=GraphVectorCollections)
    object_store: str | None = None
    sql_store: str | None = None
    vector_store: str | None = None
    language_model: str | None = None
    embedding_model: str | None = None
    extraction: Extraction = "auto"
    spacy_pipeline: str = "en_core_web_sm"
    semantic_merge: bool = True

    def __post_init__(self) -> None:
        if self.mode not in ("build", "merge_into_store"):
            raise ValueError(f"unsupported graph procedure mode: {self.mode}; allowed: build, merge_into_store")
        if self.schema_constraint_enabled and not self.ontology_schema:
            raise ValueError("ontology_schema must not be empty where schema_constraint_enabled is true")
        checked_extraction(self.extraction)
        object.__setattr__(self, "ontology_schema", dict(self.ontology_schema))

    @property
    def name(self) -> str:
        """``heta_graph``."""
        return "heta_graph"

    @classmethod
    def build(cls, **kwargs: Any) -> HetaGraphProcedure:
        """The procedure that writes a graph."""
        return cls(mode="build", **kwargs)

    @classmethod
    def merge_into_store(cls, **kwargs: Any) -> HetaGraphProcedure:
        """The procedure that merges a graph into what is there."""
        return cls(mode="merge_into_store", **kwargs)

    def steps(self) -> tuple[KnowledgeStepProtocol, ...]:
        """Extraction, the constraint where asked for, deduplication where asked for, and the step that writes."""
        constrained = (self._constrain(),) if self.schema_constraint_enabled else ()
        return (self._extract(), *constrained, *(self._deduplicate() if self.deduplicate else ()), self._write())

    def _extract(self) -> KnowledgeStepProtocol:
        return ExtractUniversalGraph(
            ExtractUniversalGraphConfig(
                object_store=self.object_store,
                language_model=self.language_model,
                chunk_keys_artifact=self.chunk_keys_artifact,
                entity_keys_artifact=self.entity_keys_artifact,
                relation_keys_artifact=self.relation_keys_artifact,
                extraction=self.extraction,
                spacy_pipeline=self.spacy_pipeline,
            )
        )

    def _constrain(self) -> KnowledgeStepProtocol:
        return ConstrainGraphByOntology(
            ConstrainGraphByOntologyConfig(
                schema=self.ontology_schema,
                object_store=self.object_store,
                language_model=self.language_model,
                chunk_keys_artifact=self.chunk_keys_artifact,
                entity_keys_artifact=self.entity_keys_artifact,
                relation_keys_artifact=self.relation_keys_artifact,
            )
        )

    def _extracted(self) -> tuple[str, str]:
        if self.schema_constraint_enabled:
            return _ONTOLOGY_ENTITIES, _ONTOLOGY_RELATIONS
        return self.entity_keys_artifact, self.relation_keys_artifact

    def _deduplicate(self) -> tuple[KnowledgeStepProtocol, ...]:
        entities, relations = self._extracted()
        common: dict[str, Any] = {
            "object_store": self.object_store,
            "language_model": self.language_model,
            "embedding_model": self.embedding_model,
            "semantic_merge": self.semantic_merge,
        }
        return (
            DeduplicateEntities(
                DeduplicateEntitiesConfig(
                    entity_keys_artifact=entities,
                    deduplicated_entity_keys_artifact=self.deduplicated_entity_keys_artifact,
                    **common,
                )
            ),
            DeduplicateRelations(
                DeduplicateRelationsConfig(
                    relation_keys_artifact=relations,
                    deduplicated_relation_keys_artifact=self.deduplicated_relation_keys_artifact,
                    **common,
                )
            ),
        )

    def _write(self) -> KnowledgeStepProtocol:
        entities, relations = self._extracted()
        if self.deduplicate:
            entities = self.deduplicated_entity_keys_artifact
            relations = self.deduplicated_relation_keys_artifact
        common: dict[str, Any] = {
            "table_names": self.table_names,
            "vector_collections": self.vector_collections,
            "entity_keys_artifact": entities,
            "relation_keys_artifact": relations,
            "chunk_keys_artifact": self.chunk_keys_artifact,
            "object_store": self.object_store,
            "sql_store": self.sql_store,
            "vector_store": self.vector_store,
            "embedding_model": self.embedding_model,
        }
        if self.mode == "build":
            return BuildGraph(BuildGraphConfig(**common))
        return MergeGraphIntoStore(MergeGraphIntoStoreConfig(language_model=self.language_model, **common))
