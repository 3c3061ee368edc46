"""A graph in the memory of this process."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeVar

from heta_framework.common.stores.fields import positive
from heta_framework.common.stores.graph.types import GraphEdge, GraphNode

_Part = TypeVar("_Part", GraphNode, GraphEdge)


class InMemoryGraphStore:
    """A graph store that forgets everything with its process."""

    def __init__(self) -> None:
        self._nodes: dict[str, GraphNode] = {}
        self._edges: dict[str, GraphEdge] = {}
        self._edges_at: defaultdict[str, set[str]] = defaultdict(set)
        self._order: dict[str, list[str]] = {}

    async def upsert_nodes(self, nodes: Sequence[GraphNode]) -> None:
        """Add nodes or replace those of the same id; of two with one id the later counts."""
        self._nodes |= {node.id: node for node in nodes}
        self._order.pop("nodes", None)

    async def upsert_edges(self, edges: Sequence[GraphEdge]) -> None:
        """Add edges or replace those of the same id; of two with one id the later counts."""
        for edge in edges:
            self._forget([edge.id])
            self._edges[edge.id] = edge
            self._edges_at[edge.source_id].add(edge.id)
            self._edges_at[edge.target_id].add(edge.id)

    async def delete_nodes(self, node_ids: Sequence[str]) -> None:
        """Remove nodes and every edge that begins or ends there; unknown ids are passed over."""
        for node_id in node_ids:
            self._forget(tuple(self._edges_at.get(node_id, ())))
            self._nodes.pop(node_id, None)
        self._order.pop("nodes", None)

    async def delete_edges(self, edge_ids: Sequence[str]) -> None:
        """Remove edges; unknown ids are passed over."""
        self._forget(edge_ids)

    async def get_node(self, node_id: str) -> GraphNode | None:
        """The node, or None."""
        return self._nodes.get(node_id)

    async def get_edge(self, edge_id: str) -> GraphEdge | None:
        """The edge, or None."""
        return self._edges.get(edge_id)

    async def count_nodes(self) -> int:
        """How many nodes there are."""
        return len(self._nodes)

    async def count_edges(self) -> int:
        """How many edges there are."""
        return len(self._edges)

    async def neighbours(self, node_id: str, *, limit: int | None = None) -> list[GraphNode]:
        """The stored nodes at the other ends of a node's edges, whichever way they point; the first `limit` of them."""
        edges = [self._edges[edge_id] for edge_id in self._edges_at.get(node_id, ())]
        ends = {end for edge in edges for end in (edge.source_id, edge.target_id)} - {node_id}
        found = sorted(ends & self._nodes.keys())
        return [self._nodes[end] for end in found[: None if limit is None else positive("limit", limit)]]

    async def edges_of(self, node_ids: Sequence[str]) -> list[GraphEdge]:
        """Every edge that begins or ends at one of these nodes, each once."""
        found = {edge_id for node_id in node_ids for edge_id in self._edges_at.get(node_id, ())}
        return [self._edges[edge_id] for edge_id in sorted(found)]

    async def nodes(self, after: str | None = None, limit: int = 1000) -> list[GraphNode]:
        """The next `limit` nodes behind the id `after`, from the first one on without it; empty at the end."""
        return self._page("nodes", self._nodes, after, limit)

    async def edges(self, after: str | None = None, limit: int = 1000) -> list[GraphEdge]:
        """The next `limit` edges behind the id `after`, from the first one on without it; empty at the end."""
        return self._page("edges", self._edges, after, limit)

    async def aclose(self) -> None:
        """Nothing is held but memory, and that stays usable."""

    def _forget(self, edge_ids: Sequence[str]) -> None:
        self._order.pop("edges", None)
        for edge_id in edge_ids:
            edge = self._edges.pop(edge_id, None)
            for end in (edge.source_id, edge.target_id) if edge else ():
                self._edges_at[end].discard(edge_id)
                if not self._edges_at[end]:
                    del self._edges_at[end]

    def _page(self, what: str, parts: Mapping[str, _Part], after: str | None, limit: int) -> list[_Part]:
        if what not in self._order:
            self._order[what] = sorted(parts)
        ids = self._order[what]
        start = 0 if after is None else bisect_right(ids, after)
        return [parts[part_id] for part_id in ids[start : start + positive("limit", limit)]]
