"""What the measures need to know of a ranking: at which ranks it holds relevant documents, and what was to be found."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from heta_framework.evaluation.trec.ranking import ranks_of

__all__ = ["RELEVANCE_LEVEL", "JudgedRanking", "judge"]

RELEVANCE_LEVEL = 1
"""trec_eval's default: labels from here on are relevant; zero and negative ones are not."""

_Made = TypeVar("_Made")


class JudgedRanking:
    """A ranking, seen through the labels of its question.

    Attributes:
        ranks: of the relevant documents in the ranking, from 1, rising.
        levels: their labels, in the same order.
        ideal: the labels of all relevant documents there are, highest first.
        documents: the ids behind ``ranks``; empty where nobody wants to know.
    """

    __slots__ = ("_made", "documents", "ideal", "levels", "ranks")

    def __init__(
        self, ranks: Sequence[int], levels: Sequence[int], ideal: Sequence[int], documents: Sequence[str] = ()
    ) -> None:
        self.ranks = ranks
        self.levels = levels
        self.ideal = ideal
        self.documents = documents
        self._made: dict[Callable[[JudgedRanking], Any], Any] = {}

    def found(self, k: int) -> int:
        """How many relevant documents are among the first `k`."""
        return bisect_right(self.ranks, k)

    def once(self, make: Callable[[JudgedRanking], _Made]) -> _Made:
        """What `make` makes of this ranking, made once: the same measure at several cut-offs shares it."""
        made: _Made | None = self._made.get(make)
        if made is None:
            made = self._made[make] = make(self)
        return made


def judge(scores: Mapping[str, float], labels: Mapping[str, int]) -> JudgedRanking:
    """Rank the documents of one question in trec_eval's order and look their labels up.

    Args:
        scores: of each retrieved document.
        labels: of each labelled document: graded, zero or negative.

    Raises:
        ValueError: a score is NaN.
    """
    relevant = {document: level for document, level in labels.items() if level >= RELEVANCE_LEVEL}
    hits = ranks_of(relevant, scores)
    documents = [document for _, document in hits]
    return JudgedRanking(
        ranks=[rank for rank, _ in hits],
        levels=[relevant[document] for document in documents],
        ideal=sorted(relevant.values(), reverse=True),
        documents=documents,
    )
