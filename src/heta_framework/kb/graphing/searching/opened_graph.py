"""A graph as an engine finds it: its tables, its collections, and what is there to ask them with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from heta_framework.kb.components import model_ref
from heta_framework.kb.graphing.graph_place import STATE_ARTIFACT, TABLES_ASSET, VECTORS_ASSET
from heta_framework.kb.graphing.storing.graph_reader import GraphReader
from heta_framework.kb.graphing.storing.schema import PhysicalTables
from heta_framework.kb.graphing.tables import GraphTableNames, GraphVectorCollections
from heta_framework.kb.search.assets import SearchAsset, SearchAssetRef

if TYPE_CHECKING:
    from heta_framework.common.models.embedding.protocol import EmbeddingModelProtocol
    from heta_framework.common.stores.vector.protocol import VectorStoreProtocol
    from heta_framework.kb.search.context import QueryContext

TABLES = SearchAssetRef(TABLES_ASSET)
VECTORS = SearchAssetRef(VECTORS_ASSET)


@dataclass(frozen=True)
class OpenedGraph:
    """What an engine needs of a graph.

    Attributes:
        names, collections: logical names.
        vectors, embedding: None where the graph has no vectors or the recipe nothing to embed a question with.
        least_likeness: vectors that score no more than this have nothing in common with a question.
        key: stands for this knowledge base's graph in this state.
    """

    asset: SearchAsset
    names: GraphTableNames
    collections: GraphVectorCollections
    reader: GraphReader
    vectors: VectorStoreProtocol | None
    embedding: EmbeddingModelProtocol | None
    least_likeness: float
    key: tuple[str, ...]

    @classmethod
    def of(cls, context: QueryContext, *, embedding_model: str | None) -> OpenedGraph:
        """The graph that the context's assets name.

        Raises:
            LookupError: there is none, or there are several.
        """
        asset = context.assets.require(TABLES)
        names = _names(asset)
        state = _state(context, asset)
        vectors, embedding, collections = _vectors(context, state, embedding_model)
        return cls(
            asset,
            names,
            collections,
            GraphReader(context.store("sql", asset), PhysicalTables.of(names, context.physical)),
            vectors,
            embedding,
            -inf if state.get("metric") == "l2" else 0.0,
            (context.physical(asset.name), str(state.get("revision", context.run_record.run_id))),
        )

    def described(self) -> dict[str, Any]:
        """What was searched, as the metadata of a response says it."""
        return {
            "entity_collection": self.collections.entities,
            "relation_collection": self.collections.relations,
            "graph_tables": {
                "entities_table": self.names.entities,
                "relations_table": self.names.relations,
                "evidence_table": self.names.evidence,
            },
        }


def _names(asset: SearchAsset) -> GraphTableNames:
    usual = GraphTableNames()
    said = asset.metadata
    return GraphTableNames(
        said.get("entities_table", asset.name),
        said.get("relations_table", usual.relations),
        said.get("evidence_table", usual.evidence),
        said.get("passages_table", usual.passages),
        said.get("synonyms_table", usual.synonyms),
    )


def _state(context: QueryContext, asset: SearchAsset) -> Mapping[str, Any]:
    states = context.run_record.artifacts.get(STATE_ARTIFACT)
    state = states.get(asset.name) if isinstance(states, Mapping) else None
    return state if isinstance(state, Mapping) else {}


def _vectors(
    context: QueryContext, state: Mapping[str, Any], embedding_model: str | None
) -> tuple[VectorStoreProtocol | None, EmbeddingModelProtocol | None, GraphVectorCollections]:
    found = context.assets.find(VECTORS)
    if len(found) != 1:
        return None, None, GraphVectorCollections()
    asset = found[0]
    usual = GraphVectorCollections()
    collections = GraphVectorCollections(
        asset.metadata.get("entity_collection", asset.name),
        asset.metadata.get("relation_collection", usual.relations),
    )
    vectors = context.find_store("vector", asset)
    embedding = context.find_component(model_ref("embedding", embedding_model))
    if vectors is None or embedding is None or not state.get("has_vectors", True):
        return None, None, collections
    return vectors, embedding, collections
