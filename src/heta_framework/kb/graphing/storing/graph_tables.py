"""The SQL side of a graph: its tables are brought to hold exactly the facts that there are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES, StoredKind
from heta_framework.kb.graphing.storing.rows import Row, stored
from heta_framework.kb.graphing.storing.schema import (
    EVIDENCE_COLUMNS,
    PASSAGE_COLUMNS,
    SYNONYM_COLUMNS,
    PhysicalTables,
    create_tables,
    drop_tables,
)
from heta_framework.kb.graphing.storing.statements import selections, statement

if TYPE_CHECKING:
    from heta_framework.common.stores.sql.protocol import SQLExecutorProtocol, SQLStoreProtocol

_ROWS_A_CALL = 5_000
_KNOWN = "SELECT $key AS id, digest, vector_key FROM $table"
_NAMES = "SELECT entity_id, entity_name FROM $table WHERE entity_id IN ($values)"
_INSERT = "INSERT INTO $table ($columns) VALUES ($values)"
_DELETE_EVIDENCE = "DELETE FROM $table WHERE fact_type = :kind AND fact_id = :id"


class GraphTables:
    """Writes the tables of one knowledge base."""

    def __init__(self, sql: SQLStoreProtocol, tables: PhysicalTables) -> None:
        self._sql = sql
        self._tables = tables

    async def open(self, *, empty: bool) -> None:
        """Make the tables; where they are to be empty, anew."""
        async with self._sql.transaction() as transaction:
            if empty:
                await drop_tables(transaction, self._tables)
            await create_tables(transaction, self._tables)

    async def counts(self) -> tuple[int, int, int, int]:
        """How many entities, relations, rows of evidence and passages there are."""
        tables = (self._tables.entities, self._tables.relations, self._tables.evidence, self._tables.passages)
        entities, relations, evidence, passages = [await self._count(table) for table in tables]
        return entities, relations, evidence, passages

    async def known(self, kind: StoredKind) -> dict[str, tuple[str, str]]:
        """Digest and vector key of every fact, by id."""
        rows = await self._sql.fetch_all(statement(_KNOWN, key=kind.id_field, table=self._table(kind)))
        return {row["id"]: (row["digest"], row["vector_key"]) for row in rows}

    async def entity_names(self, ids: Sequence[str]) -> dict[str, str]:
        """Names of entities, by id."""
        found: dict[str, str] = {}
        for sql, parameters in selections(_NAMES, ids, table=self._tables.entities):
            rows = await self._sql.fetch_all(sql, parameters)
            found.update((row["entity_id"], row["entity_name"]) for row in rows)
        return found

    async def passage_ids(self) -> set[str]:
        """The ids of all passages."""
        rows = await self._sql.fetch_all(statement("SELECT chunk_id FROM $table", table=self._tables.passages))
        return {row["chunk_id"] for row in rows}

    async def replace_facts(
        self, kind: StoredKind, rows: Sequence[Row], evidence: Sequence[Row], gone: Iterable[str]
    ) -> None:
        """Write facts with their evidence in the place of those under their ids, and remove others; all or nothing."""
        ids = [row[kind.id_field] for row in rows]
        stale = [{"id": fact_id, "kind": kind.name} for fact_id in dict.fromkeys((*gone, *ids))]
        async with self._sql.transaction() as transaction:
            table, proof = self._table(kind), self._tables.evidence
            await _run(transaction, _deletion(table, kind.id_field), [{"id": one["id"]} for one in stale])
            await _run(transaction, statement(_DELETE_EVIDENCE, table=proof), stale)
            await _run(transaction, _insert(table, kind.columns), rows)
            await _run(transaction, _insert(proof, EVIDENCE_COLUMNS), evidence)

    async def replace_passages(self, rows: Sequence[Row], gone: Collection[str] = ()) -> None:
        """Write passages and remove others."""
        stale = [{"id": chunk_id} for chunk_id in dict.fromkeys((*gone, *(row["chunk_id"] for row in rows)))]
        async with self._sql.transaction() as transaction:
            await _run(transaction, _deletion(self._tables.passages, "chunk_id"), stale)
            await _run(transaction, _insert(self._tables.passages, PASSAGE_COLUMNS), rows)

    async def replace_synonyms(self, rows: Sequence[Row], stale_entities: Collection[str]) -> None:
        """Write pairs, and remove all other pairs of these entities."""
        stale = [{"id": entity_id} for entity_id in stale_entities]
        async with self._sql.transaction() as transaction:
            for column in SYNONYM_COLUMNS[:2]:
                await _run(transaction, _deletion(self._tables.synonyms, column), stale)
            await _run(transaction, _insert(self._tables.synonyms, SYNONYM_COLUMNS), rows)

    async def _count(self, table: str) -> int:
        row = await self._sql.fetch_one(statement("SELECT COUNT(*) AS n FROM $table", table=table))
        return int(row["n"]) if row else 0

    def _table(self, kind: StoredKind) -> str:
        return self._tables.entities if kind is ENTITIES else self._tables.relations


def _insert(table: str, columns: Sequence[str]) -> str:
    values = ", ".join(f":{name}" for name in columns)
    return statement(
        "INSERT INTO $table ($columns) VALUES ($values)", table=table, columns=", ".join(columns), values=values
    )


def _deletion(table: str, column: str) -> str:
    return statement("DELETE FROM $table WHERE $column = :id", table=table, column=column)


async def _run(sql: SQLExecutorProtocol, statement: str, rows: Sequence[Row]) -> None:
    for start in range(0, len(rows), _ROWS_A_CALL):
        await sql.execute(statement, [stored(row) for row in rows[start : start + _ROWS_A_CALL]])
