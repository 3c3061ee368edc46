"""Chunks in SQLite: a table, and an FTS5 index over its texts that triggers keep up to date.

FTS5 ranks by BM25 with k1 = 1.2 and b = 0.75 (https://www.sqlite.org/fts5.html, section 5.1.1). Words are split by
``unicode61`` and reduced by Porter's stemmer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from heta_framework.common.stores.text_index.stop_words import ENGLISH
from heta_framework.kb.chunk_tables.rows import FoundRow, canonical_json, found_row, storable
from heta_framework.kb.chunk_tables.table import FTS_SUFFIX, LONGEST_QUESTION, ChunkTable

_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 512
_LARGEST_INTEGER = 2**63 - 1
_DEFINITIONS = (
    "CREATE TABLE IF NOT EXISTS $table (row_id INTEGER PRIMARY KEY, chunk_id TEXT NOT NULL UNIQUE, "
    "document_id TEXT NOT NULL, content_text TEXT NOT NULL, source_id TEXT NOT NULL, source_chunk TEXT NOT NULL, "
    "length INTEGER NOT NULL, metadata_json TEXT NOT NULL)",
    "CREATE VIRTUAL TABLE IF NOT EXISTS $index USING fts5(content_text, content=$table, content_rowid='row_id', "
    "tokenize='porter unicode61 remove_diacritics 2')",
    "CREATE TRIGGER IF NOT EXISTS $put AFTER INSERT ON $table BEGIN "
    "INSERT INTO $index(rowid, content_text) VALUES (new.row_id, new.content_text); END",
    "CREATE TRIGGER IF NOT EXISTS $cut AFTER DELETE ON $table BEGIN "
    "INSERT INTO $index($index, rowid, content_text) VALUES ('delete', old.row_id, old.content_text); END",
)
# FTS5 writes down that a row is gone and keeps its words until it merges
_PURGING = "INSERT INTO $index($index) VALUES ('optimize')"
_SEARCH = """
WITH best AS (
  SELECT $index.rowid AS row_id, -bm25($index) AS score, c.chunk_id AS chunk_id
  FROM $index JOIN $table AS c ON c.row_id = $index.rowid
  WHERE $index MATCH :words $filters
  ORDER BY score DESC, c.chunk_id LIMIT :top_k
)
SELECT best.chunk_id, c.content_text, best.score, c.metadata_json
FROM best JOIN $table AS c ON c.row_id = best.row_id
ORDER BY best.score DESC, best.chunk_id
"""
_FILTER = (
    "AND EXISTS (SELECT 1 FROM json_each(c.metadata_json) AS j "
    "WHERE j.key = {key} AND j.type IN ({kinds}) AND j.value IS {value})"
)


class SqliteChunkTable(ChunkTable):
    """The table ``name`` and the index ``name_fts``, which keeps no text of its own but reads the table's."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The index goes before the table that it reads."""
        return (f"{self.name}{FTS_SUFFIX}", self.name)

    @property
    def definitions(self) -> tuple[str, ...]:
        """Table, index, and the triggers that carry every change from one to the other."""
        names = {"put": f"{self.name}_put", "cut": f"{self.name}_cut", "index": f"{self.name}{FTS_SUFFIX}"}
        parts = {part: self.identifier(name) for part, name in names.items()}
        return tuple(self.sql(statement, **parts) for statement in _DEFINITIONS)

    @property
    def purging(self) -> tuple[str, ...]:
        """The index is merged into one tree of what is left."""
        return (self.sql(_PURGING, index=self.identifier(f"{self.name}{FTS_SUFFIX}")),)

    async def search(self, question: str, top_k: int, filters: Mapping[str, Any]) -> list[FoundRow]:
        """See `ChunkTable.search`."""
        words = _any_of(question)
        if not words:
            return []
        conditions, values = _conditions(filters)
        statement = self.sql(_SEARCH, index=self.identifier(f"{self.name}{FTS_SUFFIX}"), filters=conditions)
        rows = await self.store.fetch_all(statement, {"words": words, "top_k": top_k, **values})
        return [found_row(row) for row in rows]


def _any_of(question: str) -> str:
    """The question's words as an FTS5 expression: each a quoted string, joined by OR.

    Words that only ask or join are left out where there are others: they match nearly every text and rank none.
    """
    words = list(dict.fromkeys(_WORD.findall(storable(question[:LONGEST_QUESTION]).lower())))
    telling = [word for word in words if word not in ENGLISH] or words
    return " OR ".join(f'"{word}"' for word in telling[:_MOST_WORDS])


def _conditions(filters: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Keys and values are parameters. A type is compared beside its value: in SQLite true is 1 and '1' is not."""
    clauses: list[str] = []
    values: dict[str, Any] = {}
    for number, (key, value) in enumerate(filters.items()):
        kinds = ", ".join(f"'{kind}'" for kind in _kinds(value))
        clauses.append(_FILTER.format(key=f":key{number}", value=f":value{number}", kinds=kinds))
        values |= {f"key{number}": storable(key), f"value{number}": _comparable(value)}
    return " ".join(clauses), values


def _kinds(value: Any) -> tuple[str, ...]:
    """The types that SQLite gives the JSON of a value."""
    if value is None:
        return ("null",)
    if isinstance(value, bool):
        return (str(value).lower(),)
    if isinstance(value, int | float):
        return ("integer", "real")
    return ("text",) if isinstance(value, str) else ("array", "object")


def _comparable(value: Any) -> Any:
    """What ``json_each`` gives for a value: nested ones as their JSON, whole numbers beyond 64 bits as floats."""
    if isinstance(value, int) and abs(value) > _LARGEST_INTEGER:
        return float(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    return storable(value) if isinstance(value, str) else canonical_json(value)
