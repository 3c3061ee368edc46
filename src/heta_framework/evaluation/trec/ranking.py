"""trec_eval's order of documents: the single-precision score falling, among equal ones the document id falling.

trec_eval keeps a score as a C ``float`` and never looks at the rank column of a run, so two scores that differ only
beyond single precision are a tie (``get_qrels``/``form_res_rels.c`` of https://github.com/usnistgov/trec_eval). Ids are
compared as UTF-8 bytes there, which is the order of code points, Python's own.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from math import isnan

__all__ = ["ranks_of", "trec_order"]


def trec_order(scores: Mapping[str, float]) -> list[str]:
    """The documents, best first.

    Args:
        scores: of each document; any float but NaN, which has no place in an order.

    Raises:
        ValueError: a score is NaN.
    """
    rounded = _single_precision(scores)
    return [document for _, document in sorted(zip(rounded, scores, strict=True), reverse=True)]


def ranks_of(documents: Iterable[str], scores: Mapping[str, float]) -> list[tuple[int, str]]:
    """(rank from 1, document) of those `documents` that have a score, best first, in the order of `trec_order`.

    Raises:
        ValueError: a score is NaN.
    """
    present = [document for document in documents if document in scores]
    if not present:
        return []
    rounded = _single_precision(scores)
    rising = sorted(rounded)
    ranks, tied = [], []
    for document, score in zip(present, array("f", [scores[document] for document in present]), strict=True):
        after = bisect_right(rising, score)
        rank = len(rising) - after + 1
        if after > 1 and rising[after - 2] == score:
            tied.append((rank, score, document))
        else:
            ranks.append((rank, document))
    ranks += _ranks_of_tied(tied, scores, rounded)
    ranks.sort()
    return ranks


def _ranks_of_tied(
    tied: Sequence[tuple[int, float, str]], scores: Mapping[str, float], rounded: Sequence[float]
) -> list[tuple[int, str]]:
    """The ranks of documents that share their score with others; given the first rank of each one's score."""
    if not tied:
        return []
    groups: dict[float, list[str]] = {score: [] for _, score, _ in tied}
    for document, score in zip(scores, rounded, strict=True):
        if score in groups:
            groups[score].append(document)
    for group in groups.values():
        group.sort()
    return [(first + _above(document, groups[score]), document) for first, score, document in tied]


def _above(document: str, rising: list[str]) -> int:
    return len(rising) - bisect_right(rising, document)


def _single_precision(scores: Mapping[str, float]) -> list[float]:
    rounded = array("f", scores.values()).tolist()
    if isnan(sum(rounded)):  # also inf - inf; looking at each is only then worth its time
        for document, score in scores.items():
            if isnan(score):
                raise ValueError(f"the score of {document!r} is NaN, which no order of documents has a place for")
    return rounded
