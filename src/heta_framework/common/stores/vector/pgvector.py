"""The vector store on PostgreSQL with pgvector: a table a collection, shared by all processes that know the URL."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from anyio import to_thread

from heta_framework.common.stores.fields import positive, unique_ids
from heta_framework.common.stores.vector.checks import Rows, checked_rows
from heta_framework.common.stores.vector.collection_errors import check_same_space, unknown_collection
from heta_framework.common.stores.vector.postgres.connections import Connections
from heta_framework.common.stores.vector.postgres.statements import Statements, Table
from heta_framework.common.stores.vector.postgres.wire import copied, received, vector_text
from heta_framework.common.stores.vector.scoring import exact_scores
from heta_framework.common.stores.vector.types import (
    VectorCollectionConfig,
    VectorQuery,
    VectorRecord,
    VectorSearchResult,
)

if TYPE_CHECKING:
    from psycopg import AsyncConnection

Index = Literal["hnsw", "none"]
_MOST_INDEXED_DIMENSIONS = 2_000  # pgvector's limit for `vector`
_MAKING, _BUILDING = 7_203_411_905, 7_203_411_906  # advisory locks: for making tables, for building indexes
_LOCK_TIMEOUT = "30s"
_SPARE = 16  # asked for beyond top_k: PostgreSQL orders by float32, the scores are float64


class PgVectorStore:
    """A `VectorStoreProtocol` on PostgreSQL with the extension `vector` (pgvector 0.8 or later).

    Scores are computed here, in float64 from the stored float32, so they equal those of the stores in this process.
    Rankings are exact until a collection has its HNSW index; then about as good as `ef_search` makes them. The index
    is built by the first search that finds more than `index_from` records, that is, after a bulk load and not during
    it; other searches go on meanwhile. Filters compare JSON values: nested booleans are not equal to numbers here. In
    texts and metadata NUL characters and lone surrogates, which PostgreSQL cannot store, become U+FFFD.

    A call whose connection breaks, because the server restarts, is made once more.
    """

    def __init__(
        self,
        url: str,
        *,
        schema: str = "public",
        table_prefix: str = "",
        index: Index = "hnsw",
        index_from: int = 10_000,
        m: int = 16,
        ef_construction: int = 64,
        ef_search: int = 200,
        build_memory: str = "512MB",
        max_connections: int = 4,
        patience: float = 30.0,
    ) -> None:
        """Nothing is connected to before it is used.

        Args:
            url: ``postgresql://user:password@host/database``.
            schema: made where it is not there.
            table_prefix: sets stores in one schema apart, at most 20 bytes.
            index: "none" keeps every search exact.
            index_from: records from which on a collection gets its index, about.
            m: neighbours a node of the index.
            ef_construction: candidates looked at for a new node.
            ef_search: candidates looked at by a search, 1 to 1000.
            build_memory: PostgreSQL's `maintenance_work_mem` for building an index.
            max_connections: at a time.
            patience: seconds to wait for a connection.
        """
        if index not in ("hnsw", "none"):
            raise ValueError(f"index must be one of: hnsw, none; found {index!r}")
        self._statements = Statements(schema, table_prefix)
        settings = {"hnsw.ef_search": str(ef_search), "hnsw.iterative_scan": "relaxed_order"}
        self._connections = Connections(url, settings=settings, most=max_connections, patience=patience)
        self._index_from = positive("index_from", index_from) if index == "hnsw" else None
        self._building = {"connectivity": m, "expansion_add": ef_construction}
        self._build_memory = build_memory
        self._prepared = False

    def __repr__(self) -> str:
        return f"PgVectorStore({self._connections.place!r})"

    async def create_collection(self, config: VectorCollectionConfig) -> None:
        """Make a collection; see `VectorStoreProtocol.create_collection`."""
        known = await self._connections.run(functools.partial(self._create, config))
        if known is not None:
            check_same_space(known.dimension, known.metric, config)

    async def drop_collection(self, name: str) -> None:
        """Remove a collection with all its records; an unknown one is passed over."""
        await self._connections.run(functools.partial(self._drop, name))

    async def has_collection(self, name: str) -> bool:
        """Whether a collection exists."""
        return await self._connections.run(functools.partial(self._find, name)) is not None

    async def upsert(self, collection: str, records: Sequence[VectorRecord]) -> None:
        """Add records or replace those of the same id; all of them are committed, or none.

        Raises:
            ValueError: the collection is unknown, or a record is refused; the message names it.
            VectorStoreError: the server is out of reach or refuses.
        """
        table = await self._table(collection)
        content = await to_thread.run_sync(_copied, table, records)
        if records:
            await self._connections.run(functools.partial(self._merge, table.name, content))

    async def search(self, collection: str, query: VectorQuery) -> list[VectorSearchResult]:
        """Return the best hits, best first, equal scores in ascending order of id."""
        table = await self._table(collection)
        asked = checked_rows([query.vector], table.dimension, table.metric, lambda _: "query vector")[0]
        if self._lacks_index(table):
            await self._connections.run(functools.partial(self._build_index, collection))
            table = await self._table(collection)
        statement, filters = self._statements.nearest(table, query.filter)
        values = [*filters, vector_text(asked), query.top_k + _SPARE]
        found = await self._connections.run(functools.partial(_fetched, statement, values))
        return _ranked(found, asked, table)[: query.top_k]

    async def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove records; unknown ids are passed over."""
        table = await self._table(collection)
        statement = self._statements.delete(table.name)
        known = [record_id for record_id in ids if "\0" not in record_id]
        await self._connections.run(functools.partial(_executed, statement, [known]))

    async def count(self, collection: str) -> int:
        """How many records the collection holds."""
        table = await self._table(collection)
        ((count,),) = await self._connections.run(functools.partial(_fetched, self._statements.count(table.name), []))
        return int(count)

    async def purge_deleted(self, collections: Sequence[str]) -> None:
        """Write the tables of these collections anew, with their indexes: PostgreSQL keeps the bytes of deleted rows.

        The tables are locked meanwhile. What PostgreSQL's own log and backups hold stays there; unknown collections are
        passed over.
        """
        for name in collections:
            await self._connections.run(functools.partial(self._purge, name))

    async def _purge(self, name: str, connection: AsyncConnection[Any]) -> None:
        table = await self._find(name, connection)
        if table is not None:
            await connection.execute("SELECT set_config('lock_timeout', %s, false)", [_LOCK_TIMEOUT])
            try:
                await connection.execute(self._statements.purge(table.name))
            finally:
                await connection.execute("RESET lock_timeout")

    async def aclose(self) -> None:
        """Close the connections; a later call opens others."""
        await self._connections.close()

    async def _create(self, config: VectorCollectionConfig, connection: AsyncConnection[Any]) -> Table | None:
        """Make a collection, or find the one of this name."""
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", [_MAKING])
            for statement in self._statements.preparations():
                await connection.execute(statement)
            known = await self._find(config.name, connection)
            if known is None:
                table = self._statements.table_name(config.name)
                entry = (config.name, table, config.dimension, config.metric)
                await connection.execute(self._statements.register(), entry)
                for statement in self._statements.create(table, config.dimension):
                    await connection.execute(statement)
        return known

    async def _drop(self, name: str, connection: AsyncConnection[Any]) -> None:
        async with connection.transaction():
            if await self._find(name, connection) is not None:
                ((table,),) = await _fetched(self._statements.unregister(), [name], connection)
                await connection.execute(self._statements.drop(table))

    async def _table(self, name: str) -> Table:
        table = await self._connections.run(functools.partial(self._find, name))
        if table is None:
            raise unknown_collection(name, await self._connections.run(self._names))
        return table

    async def _find(self, name: str, connection: AsyncConnection[Any]) -> Table | None:
        if not await self._anything_exists(connection):
            return None
        found = await _fetched(self._statements.lookup(), [name], connection)
        return Table(*found[0]) if found else None

    async def _names(self, connection: AsyncConnection[Any]) -> list[str]:
        if not await self._anything_exists(connection):
            return []
        return [name for (name,) in await _fetched(self._statements.names(), [], connection)]

    async def _anything_exists(self, connection: AsyncConnection[Any]) -> bool:
        if not self._prepared:
            ((self._prepared,),) = await _fetched(self._statements.registry_exists(), [], connection)
        return self._prepared

    async def _merge(self, table: str, content: Sequence[bytes], connection: AsyncConnection[Any]) -> None:
        place, copy_in, move = self._statements.merge(table)
        async with connection.transaction():
            await connection.execute(place)
            async with connection.cursor() as cursor, cursor.copy(copy_in) as copy:
                for part in content:
                    await copy.write(part)
            await connection.execute(move)

    def _lacks_index(self, table: Table) -> bool:
        if self._index_from is None or table.indexed or table.dimension > _MOST_INDEXED_DIMENSIONS:
            return False
        return table.size_bytes >= self._index_from * table.dimension * 4

    async def _build_index(self, name: str, connection: AsyncConnection[Any]) -> None:
        """Build the index of a collection, unless another process is building one or has done so."""
        async with connection.transaction():
            ((alone,),) = await _fetched("SELECT pg_try_advisory_xact_lock(%s)", [_BUILDING], connection)
            table = await self._find(name, connection) if alone else None
            if table is not None and not table.indexed:
                await connection.execute("SELECT set_config('maintenance_work_mem', %s, true)", [self._build_memory])
                await connection.execute(self._statements.index(table, **self._building))
                await connection.execute(self._statements.mark_indexed(), [table.name])


def _copied(table: Table, records: Sequence[VectorRecord]) -> list[bytes]:
    ids = unique_ids(record.id for record in records)
    vectors = [record.vector for record in records]
    rows = checked_rows(vectors, table.dimension, table.metric, lambda row: f"vector of record {ids[row]!r}")
    return list(copied(records, rows))


async def _executed(statement: Any, values: Sequence[Any], connection: AsyncConnection[Any]) -> None:
    await connection.execute(statement, values)


async def _fetched(statement: Any, values: Sequence[Any], connection: AsyncConnection[Any]) -> list[tuple[Any, ...]]:
    async with connection.cursor(binary=True) as cursor:
        await cursor.execute(statement, values)
        return await cursor.fetchall()


def _ranked(found: Sequence[tuple[Any, ...]], asked: Rows, table: Table) -> list[VectorSearchResult]:
    """The found records with their exact scores, best first."""
    rows = received([vector for *_, vector in found], table.dimension)
    scores = exact_scores(rows, np.arange(len(rows)), asked, table.metric).tolist()
    results = [
        VectorSearchResult(record_id, score, text, metadata)
        for (record_id, text, metadata, _), score in zip(found, scores, strict=True)
    ]
    return sorted(results, key=lambda hit: (-hit.score, hit.id))
