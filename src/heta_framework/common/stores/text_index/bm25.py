"""BM25 over a few to some hundred thousand texts in memory, made to be forked and asked thousands of times a second."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from typing import Self

from heta_framework.common.stores.fields import positive, unique_ids
from heta_framework.common.stores.rows import SharedRows
from heta_framework.common.stores.snapshot import read_snapshot, write_snapshot
from heta_framework.common.stores.text_index.analysis import Analysis
from heta_framework.common.stores.text_index.segments import Entry, Segments, SegmentsView
from heta_framework.common.stores.text_index.types import Stemmer, StopWords

_KIND = "bm25_index"
_FILE = "bm25.snapshot"


class Bm25Index:
    """Texts ranked by BM25 (Robertson and Zaragoza, 2009; k1 = 1.2, b = 0.75).

    What is found depends on the held texts alone, never on the order of calls that led to them: deleting or replacing
    a text rebuilds the index (about 10 ms per 1,000 texts at the next search), so no statistic of a forgotten text
    stays. Additions are gathered and indexed at the next search. Not for several threads at once; forks may go to
    other threads.
    """

    def __init__(self, *, stemmer: Stemmer = "english", stop_words: StopWords = "none") -> None:
        """Start empty.

        Args:
            stemmer: "english" or "none".
            stop_words: "english" leaves words that only ask or join out of queries ("when did the"); "none" keeps all.
        """
        self._analysis = Analysis(stemmer, stop_words)
        self._rows = SharedRows()
        self._texts: list[str] = []
        self._segments: Segments | None = None
        self._view: SegmentsView | None = None
        self._indexed = 0

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, record_id: str) -> bool:
        return record_id in self._rows

    def ids(self) -> list[str]:
        """All ids, oldest first."""
        return self._rows.ids()

    def add(self, ids: Sequence[str], texts: Sequence[str]) -> None:
        """Add texts, or replace those of known ids.

        Raises:
            ValueError: an id is blank or comes twice, or the numbers of ids and texts differ; nothing was added.
        """
        fresh = unique_ids(ids)
        if len(fresh) != len(texts):
            raise ValueError(f"ids and texts must pair up: found {len(fresh)} ids and {len(texts)} texts")
        known = [record_id for record_id in fresh if record_id in self._rows]
        if known or not self._rows.owned:
            self._keep(self._rows.rows_without(known))
        self._rows.append(fresh)
        self._texts.extend(texts)

    def delete(self, ids: Iterable[str]) -> int:
        """Remove texts; return how many were held. Unknown ids are passed over."""
        before = len(self)
        rows = self._rows.rows_without(ids)
        if len(rows) < before:
            self._keep(rows)
        return before - len(rows)

    def search(self, query: str, k: int = 10, *, among: Container[str] | None = None) -> list[tuple[str, float]]:
        """Return the k best (id, score), best first, equal scores in ascending order of id.

        Any text is a valid query; one without words that can be found gives [].

        Args:
            query: a question in natural language.
            k: at least 1.
            among: only these ids may be returned; scores do not change.
        """
        positive("k", k)
        hits = self._committed().best(
            self._analysis.query_terms(query), k, None if among is None else lambda hit: hit.id in among
        )
        return [(hit.id, hit.score) for hit in hits]

    def fork(self) -> Bm25Index:
        """An independent copy that costs nothing until it is written to."""
        view = self._committed()
        child = Bm25Index(stemmer=self._analysis.stemmer, stop_words=self._analysis.stop_words)
        child._analysis = self._analysis
        child._rows, child._texts = self._rows.fork(), self._texts
        child._view, child._indexed = view, len(self)
        return child

    def save(self, directory: Path) -> Path:
        """Write the state to one checksummed file in `directory`, atomically; return the file."""
        path = directory / _FILE
        header = {
            "kind": _KIND,
            "version": 1,
            "stemmer": self._analysis.stemmer,
            "stop_words": self._analysis.stop_words,
        }
        pairs = zip(self._rows.ids(), self._texts, strict=False)
        write_snapshot(path, header, (json.dumps(pair).encode() + b"\n" for pair in pairs))
        return path

    @classmethod
    def load(cls, directory: Path) -> Self:
        """Read what `save` wrote.

        Raises:
            SnapshotError: it is missing, cut or altered.
        """
        header, payload = read_snapshot(directory / _FILE, _KIND)
        index = cls(stemmer=header["stemmer"], stop_words=header["stop_words"])
        pairs = [json.loads(line) for line in payload.splitlines()]
        index.add([pair[0] for pair in pairs], [pair[1] for pair in pairs])
        return index

    def _keep(self, rows: Sequence[int]) -> None:
        """Go on with a copy of these rows that is this index's own; they are indexed at the next search."""
        self._texts = [self._texts[row] for row in rows]
        self._rows = SharedRows(self._rows.id_at(row) for row in rows)
        self._segments, self._view, self._indexed = None, None, 0

    def _committed(self) -> SegmentsView:
        if self._view is None or self._indexed < len(self):
            self._segments = self._segments or Segments(self._analysis)
            fresh = range(self._indexed, len(self))
            self._segments.write(Entry(self._rows.id_at(row), self._texts[row]) for row in fresh)
            self._view, self._indexed = self._segments.view(), len(self)
        return self._view
