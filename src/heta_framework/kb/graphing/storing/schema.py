"""The SQL tables of one knowledge base's graph, the same on SQLite and PostgreSQL."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from heta_framework.common.stores.sql.protocol import SQLExecutorProtocol
    from heta_framework.kb.graphing.tables import GraphTableNames

_LONGEST_NAME = 63
_DIGITS = 12

ENTITY_COLUMNS = (
    "entity_id",
    "entity_name",
    "entity_type",
    "entity_subtype",
    "description",
    "attributes",
    "normal_name",
    "digest",
    "vector_key",
)
RELATION_COLUMNS = (
    "relation_id",
    "source_entity_id",
    "target_entity_id",
    "source_entity_name",
    "target_entity_name",
    "relation_type",
    "relation_name",
    "description",
    "attributes",
    "digest",
    "vector_key",
)
EVIDENCE_COLUMNS = ("fact_type", "fact_id", "chunk_id")
PASSAGE_COLUMNS = ("chunk_id", "document_id", "source_key", "source_name", "text", "metadata")
SYNONYM_COLUMNS = ("entity_id", "other_entity_id", "similarity")


@dataclass(frozen=True)
class PhysicalTables:
    """The quoted names under which the tables exist."""

    entities: str
    relations: str
    evidence: str
    passages: str
    synonyms: str

    @classmethod
    def of(cls, names: GraphTableNames, physical: Callable[[str], str]) -> PhysicalTables:
        """From logical names.

        Raises:
            ValueError: a name is too long for a database.
        """
        placed = [physical(name) for name in names]
        for name in placed:
            if len(name) > _LONGEST_NAME:
                raise ValueError(f"table name {name!r} has {len(name)} characters, allowed are {_LONGEST_NAME}")
        return cls(*(f'"{name}"' for name in placed))

    def __iter__(self) -> Iterator[str]:
        return (getattr(self, field.name) for field in fields(self))


async def create_tables(sql: SQLExecutorProtocol, tables: PhysicalTables) -> None:
    """Make the tables and their indexes where they do not exist."""
    for statement in _statements(tables):
        await sql.execute(statement)


async def drop_tables(sql: SQLExecutorProtocol, tables: PhysicalTables) -> None:
    """Remove the tables; those that do not exist are passed over."""
    for table in tables:
        await sql.execute(f"DROP TABLE IF EXISTS {table}")


def _statements(tables: PhysicalTables) -> Iterator[str]:
    yield _table(
        tables.entities,
        ENTITY_COLUMNS,
        {"entity_id": "TEXT PRIMARY KEY", "entity_subtype": "TEXT", "vector_key": "TEXT"},
    )
    yield _table(tables.relations, RELATION_COLUMNS, {"relation_id": "TEXT PRIMARY KEY", "vector_key": "TEXT"})
    yield _table(tables.evidence, EVIDENCE_COLUMNS, {}, key=EVIDENCE_COLUMNS)
    yield _table(tables.passages, PASSAGE_COLUMNS, {"chunk_id": "TEXT PRIMARY KEY"})
    yield _table(tables.synonyms, SYNONYM_COLUMNS, {"similarity": "REAL NOT NULL"}, key=SYNONYM_COLUMNS[:2])
    yield _index(tables.entities, "normal_name")
    yield _index(tables.relations, "source_entity_name")
    yield _index(tables.relations, "target_entity_name")
    yield _index(tables.evidence, "chunk_id")
    yield _index(tables.synonyms, "other_entity_id")


def _table(table: str, columns: Sequence[str], special: Mapping[str, str], *, key: Sequence[str] = ()) -> str:
    described = [f"{name} {special.get(name, 'TEXT NOT NULL')}" for name in columns]
    described += [f"PRIMARY KEY ({', '.join(key)})"] if key else []
    return f"CREATE TABLE IF NOT EXISTS {table} ({', '.join(described)})"


def _index(table: str, column: str) -> str:
    name = _index_name(f"{table.strip(chr(34))}_{column}")
    return f'CREATE INDEX IF NOT EXISTS "{name}" ON {table} ({column})'


def _index_name(wanted: str) -> str:
    """PostgreSQL cuts names at 63 bytes, and two that are cut alike would be one."""
    if len(wanted) <= _LONGEST_NAME:
        return wanted
    digest = hashlib.sha256(wanted.encode()).hexdigest()[:_DIGITS]
    return f"{wanted[: _LONGEST_NAME - _DIGITS - 1]}_{digest}"
