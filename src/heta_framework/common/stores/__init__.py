"""Stores: a protocol each, an embedded default each, servers where one machine is not enough.

Everything below is imported at its first use, so that naming this package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heta_framework.common.stores.graph.in_memory import InMemoryGraphStore
    from heta_framework.common.stores.graph.protocol import GraphStoreProtocol, WalkableGraphStoreProtocol
    from heta_framework.common.stores.graph.sql import SqlGraphStore
    from heta_framework.common.stores.graph.types import GraphEdge, GraphNode
    from heta_framework.common.stores.object.errors import ObjectStoreError
    from heta_framework.common.stores.object.local import LocalObjectStore, LocalObjectStoreConfig
    from heta_framework.common.stores.object.memory import MemoryObjectStore
    from heta_framework.common.stores.object.protocol import ObjectInfo, ObjectStoreProtocol
    from heta_framework.common.stores.object.s3 import S3ObjectStore
    from heta_framework.common.stores.object.s3_config import S3AddressingStyle, S3ObjectStoreConfig
    from heta_framework.common.stores.sql.config import SQLStoreConfig
    from heta_framework.common.stores.sql.errors import SQLStoreError
    from heta_framework.common.stores.sql.protocol import SQLExecutorProtocol, SQLStoreProtocol, SQLTransactionProtocol
    from heta_framework.common.stores.sql.store import SQLStore
    from heta_framework.common.stores.sql.transaction import SQLTransaction
    from heta_framework.common.stores.sql.types import SQLParameters, SQLResult, SQLRow
    from heta_framework.common.stores.text_index.bm25 import Bm25Index
    from heta_framework.common.stores.text_index.elasticsearch import (
        ElasticsearchTextIndexStore,
        ElasticsearchTextIndexStoreConfig,
    )
    from heta_framework.common.stores.text_index.errors import TextIndexError
    from heta_framework.common.stores.text_index.in_memory import InMemoryTextIndexStore
    from heta_framework.common.stores.text_index.protocol import TextIndexStoreProtocol
    from heta_framework.common.stores.text_index.tantivy_store import TantivyTextIndexStore
    from heta_framework.common.stores.text_index.types import (
        Stemmer,
        StopWords,
        TextIndexConfig,
        TextIndexRecord,
        TextQuery,
        TextSearchResult,
    )
    from heta_framework.common.stores.vector.disk import DiskVectorStore
    from heta_framework.common.stores.vector.errors import VectorStoreError
    from heta_framework.common.stores.vector.in_memory import InMemoryVectorStore
    from heta_framework.common.stores.vector.matrix import VectorMatrix
    from heta_framework.common.stores.vector.pgvector import PgVectorStore
    from heta_framework.common.stores.vector.protocol import VectorStoreProtocol
    from heta_framework.common.stores.vector.qdrant import QdrantVectorStore
    from heta_framework.common.stores.vector.types import (
        DistanceMetric,
        Metric,
        VectorCollectionConfig,
        VectorQuery,
        VectorRecord,
        VectorSearchResult,
    )

__all__ = [
    "Bm25Index",
    "DiskVectorStore",
    "DistanceMetric",
    "ElasticsearchTextIndexStore",
    "ElasticsearchTextIndexStoreConfig",
    "GraphEdge",
    "GraphNode",
    "GraphStoreProtocol",
    "InMemoryGraphStore",
    "InMemoryTextIndexStore",
    "InMemoryVectorStore",
    "LocalObjectStore",
    "LocalObjectStoreConfig",
    "MemoryObjectStore",
    "Metric",
    "ObjectInfo",
    "ObjectStoreError",
    "ObjectStoreProtocol",
    "PgVectorStore",
    "QdrantVectorStore",
    "S3AddressingStyle",
    "S3ObjectStore",
    "S3ObjectStoreConfig",
    "SQLExecutorProtocol",
    "SQLParameters",
    "SQLResult",
    "SQLRow",
    "SQLStore",
    "SQLStoreConfig",
    "SQLStoreError",
    "SQLStoreProtocol",
    "SQLTransaction",
    "SQLTransactionProtocol",
    "SqlGraphStore",
    "Stemmer",
    "StopWords",
    "TantivyTextIndexStore",
    "TextIndexConfig",
    "TextIndexError",
    "TextIndexRecord",
    "TextIndexStoreProtocol",
    "TextQuery",
    "TextSearchResult",
    "VectorCollectionConfig",
    "VectorMatrix",
    "VectorQuery",
    "VectorRecord",
    "VectorSearchResult",
    "VectorStoreError",
    "VectorStoreProtocol",
    "WalkableGraphStoreProtocol",
]

_HOMES = {
    "graph.in_memory": ("InMemoryGraphStore",),
    "graph.protocol": (
        "GraphStoreProtocol",
        "WalkableGraphStoreProtocol",
    ),
    "graph.sql": ("SqlGraphStore",),
    "graph.types": (
        "GraphEdge",
        "GraphNode",
    ),
    "object.errors": ("ObjectStoreError",),
    "object.local": (
        "LocalObjectStore",
        "LocalObjectStoreConfig",
    ),
    "object.memory": ("MemoryObjectStore",),
    "object.protocol": (
        "ObjectInfo",
        "ObjectStoreProtocol",
    ),
    "object.s3": ("S3ObjectStore",),
    "object.s3_config": (
        "S3AddressingStyle",
        "S3ObjectStoreConfig",
    ),
    "sql.config": ("SQLStoreConfig",),
    "sql.errors": ("SQLStoreError",),
    "sql.protocol": (
        "SQLExecutorProtocol",
        "SQLStoreProtocol",
        "SQLTransactionProtocol",
    ),
    "sql.store": ("SQLStore",),
    "sql.transaction": ("SQLTransaction",),
    "sql.types": (
        "SQLParameters",
        "SQLResult",
        "SQLRow",
    ),
    "text_index.bm25": ("Bm25Index",),
    "text_index.elasticsearch": (
        "ElasticsearchTextIndexStore",
        "ElasticsearchTextIndexStoreConfig",
    ),
    "text_index.errors": ("TextIndexError",),
    "text_index.in_memory": ("InMemoryTextIndexStore",),
    "text_index.protocol": ("TextIndexStoreProtocol",),
    "text_index.tantivy_store": ("TantivyTextIndexStore",),
    "text_index.types": (
        "Stemmer",
        "StopWords",
        "TextIndexConfig",
        "TextIndexRecord",
        "TextQuery",
        "TextSearchResult",
    ),
    "vector.disk": ("DiskVectorStore",),
    "vector.errors": ("VectorStoreError",),
    "vector.in_memory": ("InMemoryVectorStore",),
    "vector.matrix": ("VectorMatrix",),
    "vector.pgvector": ("PgVectorStore",),
    "vector.protocol": ("VectorStoreProtocol",),
    "vector.qdrant": ("QdrantVectorStore",),
    "vector.types": (
        "DistanceMetric",
        "Metric",
        "VectorCollectionConfig",
        "VectorQuery",
        "VectorRecord",
        "VectorSearchResult",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
