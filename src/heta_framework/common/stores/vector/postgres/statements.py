"""The SQL of the vector store: a registry of collections, a table for each, and what is asked of them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from heta_framework.common.stores.vector.types import Metric

if TYPE_CHECKING:
    from psycopg.sql import Composed

# rows are of unit length under cosine, where the inner product is the cosine
_OPERATORS = {"cosine": "<#>", "dot": "<#>", "l2": "<->"}
_CLASSES = {"cosine": "vector_ip_ops", "dot": "vector_ip_ops", "l2": "vector_l2_ops"}
_REGISTRY = "heta_vector_collections"
_LONGEST_READABLE = 24
_LONGEST_PREFIX = 20  # PostgreSQL cuts names at 63 bytes
_EQUAL_SCALARS = {0: ("0", "false"), 1: ("1", "true")}


class Table(NamedTuple):
    """One collection, as the registry has it."""

    name: str
    dimension: int
    metric: Metric
    indexed: bool
    size_bytes: int


class Statements:
    """Statements for the collections of one schema and prefix."""

    def __init__(self, schema: str, prefix: str) -> None:
        if len(prefix.encode()) > _LONGEST_PREFIX:
            raise ValueError(f"table_prefix must have at most {_LONGEST_PREFIX} bytes, found {prefix!r}")
        self._schema = schema
        self._prefix = prefix

    def table_name(self, collection: str) -> str:
        """The name of a new collection's table: readable, with a part of the name's hash that sets it apart."""
        readable = re.sub(r"[^a-z0-9]+", "_", collection.lower())[:_LONGEST_READABLE].strip("_")
        return f"{self._prefix}{readable}_{hashlib.sha256(collection.encode()).hexdigest()[:12]}"

    def preparations(self) -> list[Composed]:
        """What a database needs once."""
        return [
            self._sql("CREATE SCHEMA IF NOT EXISTS {schema}"),
            self._sql("CREATE EXTENSION IF NOT EXISTS vector"),
            self._sql(
                'CREATE TABLE IF NOT EXISTS {registry} (name text COLLATE "C" PRIMARY KEY, table_name text NOT NULL, '
                "dimension integer NOT NULL, metric text NOT NULL, indexed boolean NOT NULL DEFAULT false)"
            ),
        ]

    def registry_exists(self) -> Composed:
        """Whether anything was ever made here."""
        return self._sql(
            "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = {schema_text} AND tablename = {registry_text})"
        )

    def lookup(self) -> Composed:
        """The `Table` of a collection, by name."""
        return self._sql(
            "SELECT table_name, dimension, metric, indexed, "
            "pg_total_relation_size(format('%%I.%%I', {schema_text}::text, table_name)::regclass) "
            "FROM {registry} WHERE name = %s"
        )

    def names(self) -> Composed:
        """The names of all collections."""
        return self._sql("SELECT name FROM {registry}")

    def register(self) -> Composed:
        """Enters (name, table_name, dimension, metric)."""
        return self._sql("INSERT INTO {registry} (name, table_name, dimension, metric) VALUES (%s, %s, %s, %s)")

    def unregister(self) -> Composed:
        """Removes a name and gives its table's."""
        return self._sql("DELETE FROM {registry} WHERE name = %s RETURNING table_name")

    def mark_indexed(self) -> Composed:
        """Notes that the collection of a table has its index."""
        return self._sql("UPDATE {registry} SET indexed = true WHERE table_name = %s")

    def create(self, table: str, dimension: int) -> list[Composed]:
        """Makes a collection's table; the index over metadata serves filters."""
        columns = 'id text COLLATE "C" PRIMARY KEY, embedding vector({n}) NOT NULL, text text, metadata jsonb NOT NULL'
        return [
            self._sql(f"CREATE TABLE {{table}} ({columns})", table, n=dimension),
            self._sql("CREATE INDEX ON {table} USING gin (metadata jsonb_path_ops)", table),
        ]

    def drop(self, table: str) -> Composed:
        """Removes a collection's table."""
        return self._sql("DROP TABLE IF EXISTS {table}", table)

    def purge(self, table: str) -> Composed:
        """Writes a collection's table anew without its dead rows; outside of a transaction."""
        return self._sql("VACUUM (FULL, ANALYZE) {table}", table)

    def index(self, table: Table, connectivity: int, expansion_add: int) -> Composed:
        """Builds the HNSW index of a collection."""
        how = "USING hnsw (embedding {operators}) WITH (m = {m}, ef_construction = {ef})"
        operators = _Name(_CLASSES[table.metric])
        return self._sql(
            f"CREATE INDEX ON {{table}} {how}", table.name, operators=operators, m=connectivity, ef=expansion_add
        )

    def merge(self, table: str) -> tuple[Composed, Composed, Composed]:
        """Makes a place for incoming records, opens it for COPY, and moves them into the table."""
        return (
            self._sql("CREATE TEMP TABLE heta_incoming (LIKE {table}) ON COMMIT DROP", table),
            self._sql("COPY heta_incoming (id, embedding, text, metadata) FROM STDIN (FORMAT BINARY)"),
            self._sql(
                "INSERT INTO {table} SELECT * FROM heta_incoming ON CONFLICT (id) DO UPDATE SET "
                "embedding = excluded.embedding, text = excluded.text, metadata = excluded.metadata",
                table,
            ),
        )

    def delete(self, table: str) -> Composed:
        """Removes records by a list of ids."""
        return self._sql("DELETE FROM {table} WHERE id = ANY(%s)", table)

    def count(self, table: str) -> Composed:
        """Counts the records."""
        return self._sql("SELECT count(*) FROM {table}", table)

    def nearest(self, table: Table, wanted: Mapping[str, Any]) -> tuple[Composed, list[str]]:
        """Finds (id, text, metadata, vector) of the records that are nearest to a vector.

        Returns the statement and its first values, those of the filter; vector and limit follow them. Without an index
        equal distances come in order of id; an index would not be used for that order.
        """
        clauses, values = _filters(wanted)
        order = f"ORDER BY embedding {_OPERATORS[table.metric]} %s::vector{'' if table.indexed else ', id'} LIMIT %s"
        where = f"WHERE {' AND '.join(clauses)} " if clauses else ""
        template = "SELECT id, text, metadata, vector_send(embedding) FROM {table} " + where + order  # noqa: S608
        return self._sql(template, table.name), values

    def _sql(self, template: str, table: str = "", **values: Any) -> Composed:
        from psycopg.sql import SQL, Identifier, Literal

        names = {"schema": Identifier(self._schema), "schema_text": Literal(self._schema)}
        names |= {"registry": Identifier(self._schema, self._registry), "registry_text": Literal(self._registry)}
        if table:
            names["table"] = Identifier(self._schema, table)
        names |= {key: SQL(value) if isinstance(value, _Name) else Literal(value) for key, value in values.items()}
        return SQL(template).format(**names)

    @property
    def _registry(self) -> str:
        return f"{self._prefix}{_REGISTRY}"


class _Name(str):
    """A word of ours that stands in a statement as it is."""


def _filters(wanted: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Conditions under which metadata carries each key with an equal (==) value.

    Containment alone would let a list match a longer one; equality alone would not use the index. In Python 1 == True
    and 0 == False, in JSON they differ.
    """
    clauses: list[str] = []
    values: list[str] = []
    for key, value in wanted.items():
        same = [json.dumps(value)]
        if isinstance(value, (bool, int, float)) and value in _EQUAL_SCALARS:
            same = list(_EQUAL_SCALARS[int(value)])
        one = "(metadata @> %s::jsonb AND metadata -> %s = %s::jsonb)"
        clauses.append(f"({' OR '.join([one] * len(same))})")
        values += [part for item in same for part in (f"{{{json.dumps(key)}: {item}}}", key, item)]
    return clauses, values
