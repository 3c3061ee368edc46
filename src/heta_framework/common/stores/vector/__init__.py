"""Vector search: the protocol, its value types, and an exact in-memory store."""

from heta_framework.common.stores.vector.errors import VectorStoreError
from heta_framework.common.stores.vector.in_memory import InMemoryVectorStore
from heta_framework.common.stores.vector.matrix import VectorMatrix
from heta_framework.common.stores.vector.protocol import VectorStoreProtocol
from heta_framework.common.stores.vector.types import (
    DistanceMetric,
    Metric,
    VectorCollectionConfig,
    VectorQuery,
    VectorRecord,
    VectorSearchResult,
)

__all__ = [
    "DistanceMetric",
    "InMemoryVectorStore",
    "Metric",
    "VectorCollectionConfig",
    "VectorMatrix",
    "VectorQuery",
    "VectorRecord",
    "VectorSearchResult",
    "VectorStoreError",
    "VectorStoreProtocol",
]
