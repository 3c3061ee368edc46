"""A graph in two tables of a SQL store: its nodes, and its edges with an index on either end."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from heta_framework.common.stores.fields import positive
from heta_framework.common.stores.graph.sql_tables import GraphTables
from heta_framework.common.stores.graph.types import GraphEdge, GraphNode
from heta_framework.common.stores.sql.store import SQLStore

_NO_LIMIT = 2**62


class SqlGraphStore:
    """A graph store in SQLite or PostgreSQL; several graphs of different names share a database.

    The tables ``{name}_nodes`` and ``{name}_edges`` are made at the first use. The SQL store is its owner's to close.
    """

    def __init__(self, sql_store: SQLStore, *, name: str = "graph") -> None:
        self._sql = sql_store
        self._tables = GraphTables(name, sql_store.dialect)
        self._made = False

    async def upsert_nodes(self, nodes: Sequence[GraphNode]) -> None:
        """Add nodes or replace those of the same id; of two with one id the later counts."""
        rows = [{"id": node.id, "labels": _json(node.labels), "properties": _json(node.properties)} for node in nodes]
        await (await self._ready()).execute_many(self._tables.upsert_nodes(), rows)

    async def upsert_edges(self, edges: Sequence[GraphEdge]) -> None:
        """Add edges or replace those of the same id; of two with one id the later counts."""
        rows = [
            {
                "id": edge.id,
                "source_id": edge.source_id,
                "target_id": edge.target_id,
                "type": edge.type,
                "properties": _json(edge.properties),
            }
            for edge in edges
        ]
        await (await self._ready()).execute_many(self._tables.upsert_edges(), rows)

    async def delete_nodes(self, node_ids: Sequence[str]) -> None:
        """Remove nodes and every edge that begins or ends there; unknown ids are passed over."""
        ids = {"ids": self._tables.ids(node_ids)}
        async with (await self._ready()).transaction() as transaction:
            await transaction.execute(self._tables.delete(self._tables.edges, "source_id"), ids)
            await transaction.execute(self._tables.delete(self._tables.edges, "target_id"), ids)
            await transaction.execute(self._tables.delete(self._tables.nodes, "id"), ids)

    async def delete_edges(self, edge_ids: Sequence[str]) -> None:
        """Remove edges; unknown ids are passed over."""
        ids = {"ids": self._tables.ids(edge_ids)}
        await (await self._ready()).execute(self._tables.delete(self._tables.edges, "id"), ids)

    async def get_node(self, node_id: str) -> GraphNode | None:
        """The node, or None."""
        row = await (await self._ready()).fetch_one(self._tables.one(self._tables.nodes), {"id": node_id})
        return None if row is None else _node(row)

    async def get_edge(self, edge_id: str) -> GraphEdge | None:
        """The edge, or None."""
        row = await (await self._ready()).fetch_one(self._tables.one(self._tables.edges), {"id": edge_id})
        return None if row is None else _edge(row)

    async def count_nodes(self) -> int:
        """How many nodes there are."""
        return await self._count(self._tables.nodes)

    async def count_edges(self) -> int:
        """How many edges there are."""
        return await self._count(self._tables.edges)

    async def neighbours(self, node_id: str, *, limit: int | None = None) -> list[GraphNode]:
        """The stored nodes at the other ends of a node's edges, whichever way they point; the first `limit` of them."""
        values = {"id": node_id, "limit": _NO_LIMIT if limit is None else positive("limit", limit)}
        return [_node(row) for row in await (await self._ready()).fetch_all(self._tables.neighbours(), values)]

    async def edges_of(self, node_ids: Sequence[str]) -> list[GraphEdge]:
        """Every edge that begins or ends at one of these nodes, each once."""
        values = {"ids": self._tables.ids(node_ids)}
        return [_edge(row) for row in await (await self._ready()).fetch_all(self._tables.edges_of(), values)]

    async def nodes(self, after: str | None = None, limit: int = 1000) -> list[GraphNode]:
        """The next `limit` nodes behind the id `after`, from the first one on without it; empty at the end."""
        return [_node(row) for row in await self._page(self._tables.nodes, after, limit)]

    async def edges(self, after: str | None = None, limit: int = 1000) -> list[GraphEdge]:
        """The next `limit` edges behind the id `after`, from the first one on without it; empty at the end."""
        return [_edge(row) for row in await self._page(self._tables.edges, after, limit)]

    async def drop(self) -> None:
        """Remove the whole graph with its tables; the next use makes them anew."""
        self._made = False
        await self._run(self._tables.drop())

    async def aclose(self) -> None:
        """Nothing is held here; the SQL store is closed by its owner."""

    async def _ready(self) -> SQLStore:
        if not self._made:
            await self._run(self._tables.create())
            self._made = True
        return self._sql

    async def _run(self, statements: Sequence[str]) -> None:
        async with self._sql.transaction() as transaction:
            for statement in statements:
                await transaction.execute(statement)

    async def _count(self, table: str) -> int:
        row = await (await self._ready()).fetch_one(self._tables.count(table))
        return 0 if row is None else int(row["number"])

    async def _page(self, table: str, after: str | None, limit: int) -> list[dict[str, Any]]:
        values = {"after": after or "", "limit": positive("limit", limit)}
        return await (await self._ready()).fetch_all(self._tables.page(table), values)


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False, ensure_ascii=True)


def _node(row: Mapping[str, Any]) -> GraphNode:
    return GraphNode(row["id"], tuple(json.loads(row["labels"])), json.loads(row["properties"]))


def _edge(row: Mapping[str, Any]) -> GraphEdge:
    properties = json.loads(row["properties"])
    return GraphEdge(row["id"], row["source_id"], row["target_id"], row["type"], properties)
