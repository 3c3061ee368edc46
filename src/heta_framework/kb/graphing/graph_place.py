"""Where a graph is written: the settings that the two steps that write one share, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heta_framework.kb.components import ComponentRef, model_ref, store_ref
from heta_framework.kb.graphing.storing.embedding import FactEmbedding
from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES, RELATIONS
from heta_framework.kb.graphing.storing.fact_vectors import FactVectors
from heta_framework.kb.graphing.storing.graph_tables import GraphTables
from heta_framework.kb.graphing.storing.graph_writer import GraphWriter
from heta_framework.kb.graphing.storing.name_vectors import NameVectors
from heta_framework.kb.graphing.storing.schema import PhysicalTables
from heta_framework.kb.graphing.storing.used_vectors import used_vectors_cleanup
from heta_framework.kb.graphing.tables import GraphTableNames, GraphVectorCollections
from heta_framework.kb.namespace import physical_name
from heta_framework.kb.search.assets import SearchAsset
from heta_framework.kb.search.context import NAMESPACE_ARTIFACT
from heta_framework.kb.steps.cleanup import CleanupTarget, StepCleanupPlan

if TYPE_CHECKING:
    from heta_framework.kb.context import StepExecutionContext

STATE_ARTIFACT = "graph_state"
"""By logical name of the entities' table: ``revision``, a fingerprint of the graph, and how much the stores hold."""

TABLES_ASSET = "graph_tables"
VECTORS_ASSET = "graph_vector_index"

_LEAST_RECORDS_A_CALL = 2_048


@dataclass(frozen=True)
class GraphPlace:
    """Where a graph is written: those settings that both steps have."""

    table_names: GraphTableNames
    vector_collections: GraphVectorCollections
    chunk_keys_artifact: str
    vector_metric: str
    batch_size: int
    synonym_threshold: float | None
    object_store: str | None
    sql_store: str | None
    vector_store: str | None
    embedding_model: str | None

    @classmethod
    def of(cls, config: Any) -> GraphPlace:
        """From the config of either step."""
        return cls(**{name: getattr(config, name) for name in cls.__dataclass_fields__})

    def required(self) -> set[ComponentRef]:
        """Objects and SQL; vectors only where they are asked for by name."""
        named = (
            (store_ref("vector", self.vector_store), self.vector_store),
            (model_ref("embedding", self.embedding_model), self.embedding_model),
        )
        always = {store_ref("objects", self.object_store), store_ref("sql", self.sql_store)}
        return always | {ref for ref, name in named if name is not None}

    def assets(self) -> tuple[SearchAsset, ...]:
        """Tables and collections; the collections are there where the recipe has an embedding and a vector store."""
        tables, collections = self.table_names, self.vector_collections
        names = {
            "entities_table": tables.entities,
            "relations_table": tables.relations,
            "evidence_table": tables.evidence,
            "passages_table": tables.passages,
            "synonyms_table": tables.synonyms,
        }
        vectors = {"entity_collection": collections.entities, "relation_collection": collections.relations}
        return (
            SearchAsset(TABLES_ASSET, tables.entities, store_ref("sql", self.sql_store).key, names),
            SearchAsset(VECTORS_ASSET, collections.entities, store_ref("vector", self.vector_store).key, vectors),
        )

    def writer(self, run: StepExecutionContext, step: str) -> GraphWriter:
        """What writes the graph of this knowledge base."""
        from heta_framework.common.stores.vector.types import checked_metric

        sql = run.get_component(store_ref("sql", self.sql_store).key)
        tables = GraphTables(sql, PhysicalTables.of(self.table_names, run.physical))
        vector, embedding = store_ref("vector", self.vector_store), model_ref("embedding", self.embedding_model)
        vectors, names = None, None
        if run.recipe.has_component(vector) and run.recipe.has_component(embedding):
            store, model = run.get_component(vector.key), run.get_component(embedding.key)
            embed = FactEmbedding(run, model, step, store=self.object_store, batch_size=self.batch_size)
            size = max(self.batch_size, _LEAST_RECORDS_A_CALL)
            vectors = FactVectors(store, embed, metric=checked_metric(self.vector_metric), batch_size=size)
            names = NameVectors(store, embed, run.physical(self.vector_collections.names))
        collections = {
            ENTITIES.name: run.physical(self.vector_collections.entities),
            RELATIONS.name: run.physical(self.vector_collections.relations),
        }
        return GraphWriter(
            tables,
            vectors,
            names,
            collections={str(kind): name for kind, name in collections.items()},
            synonym_threshold=self.synonym_threshold,
        )

    def cleanup(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """Tables and collections."""
        namespace = artifacts.get(NAMESPACE_ARTIFACT)
        collections = (
            self.vector_collections.entities,
            self.vector_collections.relations,
            self.vector_collections.names,
        )

        def placed(logical: str) -> str:
            return physical_name(logical, namespace) if namespace else logical

        vector, sql = store_ref("vector", self.vector_store).key, store_ref("sql", self.sql_store).key
        vectors = [CleanupTarget("vector_collection", placed(name), vector) for name in collections]
        tables = [CleanupTarget("sql_table", placed(name), sql) for name in self.table_names]
        state = artifacts.get(STATE_ARTIFACT, {}).get(self.table_names.entities, {})
        notes = used_vectors_cleanup(artifacts, self.object_store)
        return StepCleanupPlan((*(vectors if state.get("has_vectors", True) else ()), *tables, *notes))
