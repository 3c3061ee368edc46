"""Chunks in PostgreSQL: a table with a ``tsvector`` of each text and a GIN index over them, ranked by BM25.

PostgreSQL's own ranks know nothing of how rare a word is. ``ts_rank_cd`` of one word with all weights at 1 counts its
occurrences (https://www.postgresql.org/docs/current/textsearch-controls.html#TEXTSEARCH-RANKING), and the index counts
the texts that hold it: that is all that BM25 needs (Robertson and Zaragoza, 2009; here as in Lucene, k1 = 1.2,
b = 0.75). Words are those of the configuration ``english``: stemmed, without stop words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heta_framework.kb.chunk_tables.rows import FoundRow, canonical_json, found_row, storable
from heta_framework.kb.chunk_tables.table import LONGEST_QUESTION, ChunkTable

_DEFINITIONS = (
    'CREATE TABLE IF NOT EXISTS $table (chunk_id text COLLATE "C" PRIMARY KEY, document_id text NOT NULL, '
    "content_text text NOT NULL, source_id text NOT NULL, source_chunk text NOT NULL, length integer NOT NULL, "
    "metadata_json jsonb NOT NULL, "
    "words tsvector GENERATED ALWAYS AS (to_tsvector(CAST('english' AS regconfig), content_text)) STORED)",
    # kept in the row, where ranking reads it, while the text goes out of line
    "ALTER TABLE $table ALTER COLUMN words SET STORAGE MAIN",
)
# an index that is made after the rows is made several times as fast; its pending list would be read by every search
_SETTLING = (
    "CREATE INDEX IF NOT EXISTS $index ON $table USING gin (words)",
    "SELECT gin_clean_pending_list(CAST('$index' AS regclass))",
    "ANALYZE $table",
)
# each word of the question becomes a query of its own, quoted, so that nothing in it is an operator
_SEARCH = r"""
WITH corpus AS MATERIALIZED (
  SELECT CAST(count(*) AS float8) AS n, greatest(CAST(avg(length) AS float8), 1) AS average FROM $table
), terms AS MATERIALIZED (
  SELECT lexeme, CAST('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''' AS tsquery) AS term
  FROM unnest(to_tsvector(CAST('english' AS regconfig), CAST(:question AS text)))
), held AS (
  SELECT c.chunk_id, CAST(c.length AS float8) AS length, ts_rank_cd('{1,1,1,1}', c.words, term) AS tf,
    CAST(count(*) OVER (PARTITION BY lexeme) AS float8) AS df
  FROM terms JOIN $table AS c ON c.words @@ term
), best AS (
  SELECT chunk_id,
    sum(ln(1 + (n - df + 0.5) / (df + 0.5)) * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / average))) AS score
  FROM held CROSS JOIN corpus $filters GROUP BY chunk_id
  ORDER BY score DESC, chunk_id LIMIT :top_k
)
SELECT chunk_id, content_text, score, metadata_json FROM best JOIN $table USING (chunk_id)
ORDER BY score DESC, chunk_id
"""
_FILTERED = "WHERE chunk_id IN (SELECT c.chunk_id FROM $table AS c WHERE {conditions})"
_CONDITION = "c.metadata_json -> CAST({key} AS text) = CAST({value} AS jsonb)"


class PostgresChunkTable(ChunkTable):
    """The table ``name`` and its index ``name_words``."""

    @property
    def definitions(self) -> tuple[str, ...]:
        """The vector of words is kept by the database."""
        return tuple(self.sql(statement) for statement in _DEFINITIONS)

    @property
    def settling(self) -> tuple[str, ...]:
        """The index of words."""
        index = self.identifier(f"{self.name}_words")
        return tuple(self.sql(statement, index=index) for statement in _SETTLING)

    def placeholder(self, column: str) -> str:
        """What stands for a column's value when a row is added."""
        return "CAST(:metadata_json AS jsonb)" if column == "metadata_json" else super().placeholder(column)

    async def search(self, question: str, top_k: int, filters: Mapping[str, Any]) -> list[FoundRow]:
        """See `ChunkTable.search`."""
        conditions, values = _conditions(filters)
        filtered = self.sql(_FILTERED.format(conditions=conditions)) if conditions else ""
        values |= {"question": storable(question[:LONGEST_QUESTION]), "top_k": top_k}
        return [found_row(row) for row in await self.store.fetch_all(self.sql(_SEARCH, filters=filtered), values)]


def _conditions(filters: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Keys and values are parameters; values are compared as jsonb, to which 1 and 1.0 are equal and 1 and true not."""
    clauses: list[str] = []
    values: dict[str, Any] = {}
    for number, (key, value) in enumerate(filters.items()):
        clauses.append(_CONDITION.format(key=f":key{number}", value=f":value{number}"))
        values |= {f"key{number}": storable(key), f"value{number}": canonical_json(value)}
    return " AND ".join(clauses), values
