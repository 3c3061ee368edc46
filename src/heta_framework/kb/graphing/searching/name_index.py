"""Facts by the words of their names: how a graph is searched where there are no vectors."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from heta_framework.kb.graphing.names import normalised_name


class NameIndex:
    """Names ranked against a question by BM25; a name that the question holds in full comes first. For any thread."""

    def __init__(self, ids: Sequence[str], names: Sequence[str]) -> None:
        from heta_framework.common.stores.text_index.bm25 import Bm25Index

        self._index = Bm25Index(stop_words="english")
        self._index.add(list(ids), list(names))
        self._normal = dict(zip(ids, map(normalised_name, names), strict=True))
        self._asking = threading.Lock()

    def search(self, question: str, most: int) -> list[tuple[str, float]]:
        """The ids of the best names with scores between 0 and 1, best first.

        A name scores 1 when all of it stands in the question; another one at most 0.9, in proportion to its BM25.
        """
        with self._asking:
            found = self._index.search(question, most * _SPARE)
        if not found:
            return []
        asked = f" {_words(question)} "
        highest = found[0][1]
        scored = [(one, self._score(one, score / highest, asked)) for one, score in found]
        return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:most]

    def _score(self, fact_id: str, share: float, asked: str) -> float:
        return 1.0 if f" {self._normal[fact_id]} " in asked else _PARTIAL * share


_SPARE = 4
_PARTIAL = 0.9


def _words(question: str) -> str:
    """The question's words each in the form that a name would have."""
    return " ".join(normalised_name(word) for word in question.split())
