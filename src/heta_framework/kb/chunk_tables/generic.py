"""Chunks in any other database: beside each text its stemmed words, found by LIKE and ranked by BM25.

The column ``words`` holds every word between two blanks of its own, so that a pattern matches whole words, and their
number is what REPLACE takes away. k1 = 1.2 and b = 0.75, the weight of a word as in Lucene.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import TYPE_CHECKING, Any, ClassVar

from heta_framework.kb.chunk_tables.rows import FoundRow, canonical_json, chunk_row, found_row, storable
from heta_framework.kb.chunk_tables.table import LONGEST_QUESTION, ChunkTable
from heta_framework.kb.chunks import Chunk

if TYPE_CHECKING:
    from heta_framework.common.stores.text_index.analysis import Analysis
    from heta_framework.common.stores.text_index.types import StopWords

_MOST_TERMS = 64
_MORE_ROWS = 4
_DEFINITION = (
    "CREATE TABLE IF NOT EXISTS $table (chunk_id VARCHAR(255) NOT NULL PRIMARY KEY, document_id TEXT NOT NULL, "
    "content_text TEXT NOT NULL, source_id TEXT NOT NULL, source_chunk TEXT NOT NULL, length INTEGER NOT NULL, "
    "metadata_json TEXT NOT NULL, words TEXT NOT NULL)"
)
_STATISTICS = "SELECT COUNT(*) AS n, AVG(length) AS average, $counted FROM $table"
_COUNTED = "SUM(CASE WHEN words LIKE :like{n} ESCAPE '!' THEN 1 ELSE 0 END) AS df{n}"
_SEARCH = (
    "SELECT chunk_id, content_text, metadata_json, $score AS score FROM $table WHERE $matching "
    "ORDER BY score DESC, chunk_id LIMIT $count OFFSET $start"
)
_MATCHING = "words LIKE :like{n} ESCAPE '!'"
_OCCURRENCES = "((LENGTH(words) - LENGTH(REPLACE(words, :term{n}, ''))) * 1.0 / LENGTH(:term{n}))"
_SCORE = ":idf{n} * {tf} * 2.2 / ({tf} + 1.2 * (0.25 + 0.75 * length / :average))"


class GenericChunkTable(ChunkTable):
    """A table without any side table or index of words."""

    columns: ClassVar[tuple[str, ...]] = (*ChunkTable.columns, "words")

    @property
    def definitions(self) -> tuple[str, ...]:
        """Types that every database knows."""
        return (self.sql(_DEFINITION),)

    def identifier(self, table: str) -> str:
        """Without quotes, for which databases have different signs."""
        return table

    def row(self, chunk: Chunk) -> dict[str, Any]:
        """The values of ``columns``."""
        row = chunk_row(chunk)
        analysis = _analysis("none")
        terms = analysis.analyzer.analyze(analysis.clean(row["content_text"]))
        return {**row, "length": len(terms), "words": "".join(f" {term} " for term in terms)}

    async def search(self, question: str, top_k: int, filters: Mapping[str, Any]) -> list[FoundRow]:
        """See `ChunkTable.search`. With filters, rows are read best first until enough of them carry what is asked."""
        asked = storable(question[:LONGEST_QUESTION])
        terms = (_analysis("english").query_terms(asked) or _analysis("none").query_terms(asked))[:_MOST_TERMS]
        weights = await self._weights(terms)
        found: list[FoundRow] = []
        start, count = 0, top_k
        while weights and len(found) < top_k:
            rows = await self._ranked(weights, start, count)
            found.extend(row for row in rows if _carries(row, filters))
            if len(rows) < count:
                break
            start, count = start + count, count * _MORE_ROWS
        return found[:top_k]

    async def _weights(self, terms: Sequence[str]) -> _Weights | None:
        """What each word weighs in this table; None where no text holds any."""
        if not terms:
            return None
        counted = ", ".join(_COUNTED.format(n=number) for number in range(len(terms)))
        row = await self.store.fetch_one(self.sql(_STATISTICS, counted=counted), _patterns(terms))
        if not row or not row["n"]:
            return None
        held = {term: int(row[f"df{number}"]) for number, term in enumerate(terms)}
        idf = {term: log(1 + (row["n"] - df + 0.5) / (df + 0.5)) for term, df in held.items() if df}
        return _Weights(idf, max(float(row["average"]), 1.0)) if idf else None

    async def _ranked(self, weights: _Weights, start: int, count: int) -> list[FoundRow]:
        terms = list(weights.idf)
        numbers = range(len(terms))
        statement = self.sql(
            _SEARCH,
            score=" + ".join(_SCORE.format(n=number, tf=_OCCURRENCES.format(n=number)) for number in numbers),
            matching=" OR ".join(_MATCHING.format(n=number) for number in numbers),
            count=str(count),
            start=str(start),
        )
        values: dict[str, Any] = {f"idf{number}": weights.idf[term] for number, term in enumerate(terms)}
        values |= {f"term{number}": f" {term} " for number, term in enumerate(terms)}
        values |= {**_patterns(terms), "average": weights.average_length}
        return [found_row(row) for row in await self.store.fetch_all(statement, values)]


@dataclass(frozen=True)
class _Weights:
    """What BM25 knows of the table: the weight of each word that occurs, and the mean number of words of a text."""

    idf: Mapping[str, float]
    average_length: float


def _patterns(terms: Sequence[str]) -> dict[str, Any]:
    """What each word looks like to LIKE; ``!`` escapes what LIKE would read as a wildcard."""
    escaped = (term.replace("!", "!!").replace("%", "!%").replace("_", "!_") for term in terms)
    return {f"like{number}": f"% {term} %" for number, term in enumerate(escaped)}


def _carries(row: FoundRow, filters: Mapping[str, Any]) -> bool:
    return all(
        key in row.metadata and canonical_json(row.metadata[key]) == canonical_json(value)
        for key, value in filters.items()
    )


@cache
def _analysis(stop_words: StopWords) -> Analysis:
    """How words are made: of texts all of them, of questions those that tell something where there are any."""
    from heta_framework.common.stores.text_index.analysis import Analysis

    return Analysis("english", stop_words)
