"""Graph stores: the protocols, and graphs in memory and in a database."""

from heta_framework.common.stores.graph.in_memory import InMemoryGraphStore
from heta_framework.common.stores.graph.protocol import GraphStoreProtocol, WalkableGraphStoreProtocol
from heta_framework.common.stores.graph.sql import SqlGraphStore
from heta_framework.common.stores.graph.types import GraphEdge, GraphNode

__all__ = [
    "GraphEdge",
    "GraphNode",
    "GraphStoreProtocol",
    "InMemoryGraphStore",
    "SqlGraphStore",
    "WalkableGraphStoreProtocol",
]
