"""What every graph store offers, and what those offer that can be walked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from heta_framework.common.stores.graph.types import GraphEdge, GraphNode


@runtime_checkable
class GraphStoreProtocol(Protocol):
    """Nodes and directed edges by their ids. An edge may be stored before its ends are."""

    async def upsert_nodes(self, nodes: Sequence[GraphNode]) -> None:
        """Add nodes or replace those of the same id; of two with one id the later counts."""
        ...

    async def upsert_edges(self, edges: Sequence[GraphEdge]) -> None:
        """Add edges or replace those of the same id; of two with one id the later counts."""
        ...

    async def delete_nodes(self, node_ids: Sequence[str]) -> None:
        """Remove nodes and every edge that begins or ends there; unknown ids are passed over."""
        ...

    async def delete_edges(self, edge_ids: Sequence[str]) -> None:
        """Remove edges; unknown ids are passed over."""
        ...

    async def get_node(self, node_id: str) -> GraphNode | None:
        """The node, or None."""
        ...

    async def get_edge(self, edge_id: str) -> GraphEdge | None:
        """The edge, or None."""
        ...

    async def count_nodes(self) -> int:
        """How many nodes there are."""
        ...

    async def count_edges(self) -> int:
        """How many edges there are."""
        ...

    async def aclose(self) -> None:
        """Let go of what the store holds."""
        ...


@runtime_checkable
class WalkableGraphStoreProtocol(GraphStoreProtocol, Protocol):
    """A graph store that finds its way along edges and through all nodes. Everything comes in ascending order of id."""

    async def neighbours(self, node_id: str, *, limit: int | None = None) -> list[GraphNode]:
        """The stored nodes at the other ends of a node's edges, whichever way they point; the first `limit` of them."""
        ...

    async def edges_of(self, node_ids: Sequence[str]) -> list[GraphEdge]:
        """Every edge that begins or ends at one of these nodes, each once."""
        ...

    async def nodes(self, after: str | None = None, limit: int = 1000) -> list[GraphNode]:
        """The next `limit` nodes behind the id `after`, from the first one on without it; empty at the end."""
        ...

    async def edges(self, after: str | None = None, limit: int = 1000) -> list[GraphEdge]:
        """The next `limit` edges behind the id `after`, from the first one on without it; empty at the end."""
        ...
