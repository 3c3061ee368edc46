"""The two tables of a graph in a database, and the statements about them in SQLite's and PostgreSQL's words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,49}")
_NODE_COLUMNS = "id, labels, properties"
_EDGE_COLUMNS = "id, source_id, target_id, type, properties"
_ENDS = ("source", "target")


class GraphTables:
    """Statements for the tables ``{name}_nodes`` and ``{name}_edges``; ids are ordered by code point everywhere."""

    def __init__(self, name: str, dialect: str) -> None:
        if not _NAME.fullmatch(name):
            raise ValueError(f"name must be letters, digits and _, at most 50, not a digit first; got {name!r}")
        if dialect not in ("sqlite", "postgresql"):
            raise ValueError(f"a graph can be kept in SQLite and PostgreSQL, not in {dialect}")
        self._postgres = dialect == "postgresql"
        self.nodes = f"{name}_nodes"
        self.edges = f"{name}_edges"

    def create(self) -> list[str]:
        """Make the tables where they are not there."""
        text = 'TEXT COLLATE "C"' if self._postgres else "TEXT"
        lock = [f"SELECT pg_advisory_xact_lock(hashtext('{self.nodes}'))"] if self._postgres else []
        return [
            *lock,
            f"CREATE TABLE IF NOT EXISTS {self.nodes} "
            f"(id {text} PRIMARY KEY, labels TEXT NOT NULL, properties TEXT NOT NULL)",
            f"CREATE TABLE IF NOT EXISTS {self.edges} "
            f"(id {text} PRIMARY KEY, source_id {text} NOT NULL, target_id {text} NOT NULL, "
            f"type TEXT NOT NULL, properties TEXT NOT NULL)",
            *(f"CREATE INDEX IF NOT EXISTS {self.edges}_{end} ON {self.edges} ({end}_id)" for end in _ENDS),
        ]

    def drop(self) -> list[str]:
        """Remove the tables."""
        return [f"DROP TABLE IF EXISTS {table}" for table in (self.edges, self.nodes)]

    def upsert_nodes(self) -> str:
        """One row a node."""
        return self._upsert(self.nodes, _NODE_COLUMNS)

    def upsert_edges(self) -> str:
        """One row an edge."""
        return self._upsert(self.edges, _EDGE_COLUMNS)

    def delete(self, table: str, column: str) -> str:
        """Remove the rows whose column is among ``:ids``."""
        return f"DELETE FROM {table} WHERE {self._among(column)}"  # noqa: S608

    def one(self, table: str) -> str:
        """The row of ``:id``."""
        return f"SELECT * FROM {table} WHERE id = :id"  # noqa: S608

    def count(self, table: str) -> str:
        """How many rows, as ``number``."""
        return f"SELECT count(*) AS number FROM {table}"  # noqa: S608

    def page(self, table: str) -> str:
        """The next ``:limit`` rows behind ``:after``."""
        return f"SELECT * FROM {table} WHERE id > :after ORDER BY id LIMIT :limit"  # noqa: S608

    def edges_of(self) -> str:
        """The edges with an end among ``:ids``."""
        ends = (f"SELECT {_EDGE_COLUMNS} FROM {self.edges} WHERE {self._among(f'{end}_id')}" for end in _ENDS)  # noqa: S608
        return f"{' UNION '.join(ends)} ORDER BY id"

    def neighbours(self) -> str:
        """The first ``:limit`` nodes at the other ends of the edges of ``:id``."""
        return (
            f"SELECT {_NODE_COLUMNS} FROM {self.nodes} WHERE id IN ("  # noqa: S608
            f"SELECT target_id FROM {self.edges} WHERE source_id = :id UNION "
            f"SELECT source_id FROM {self.edges} WHERE target_id = :id) ORDER BY id LIMIT :limit"
        )

    def ids(self, ids: Iterable[str]) -> Any:
        """The value of ``:ids``."""
        return list(ids) if self._postgres else json.dumps(list(ids))

    def _among(self, column: str) -> str:
        if self._postgres:
            return f"{column} = ANY(CAST(:ids AS text[]))"
        return f"{column} IN (SELECT value FROM json_each(:ids))"  # noqa: S608

    def _upsert(self, table: str, columns: str) -> str:
        names = columns.split(", ")
        changes = ", ".join(f"{name} = excluded.{name}" for name in names if name != "id")
        values = ", ".join(f":{name}" for name in names)
        row = f"({columns}) VALUES ({values})"
        return f"INSERT INTO {table} {row} ON CONFLICT (id) DO UPDATE SET {changes}"
