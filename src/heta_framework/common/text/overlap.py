"""How much two lists of tokens have in common, as precision, recall and their harmonic mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple


class Overlap(NamedTuple):
    """All three in [0, 1]; each is 0 where nothing is in common.

    `precision` is the share of what was found that is wanted, `recall` the share of what is wanted that was found.
    """

    precision: float
    recall: float
    f1: float


def overlap(found: Sequence[str], wanted: Sequence[str]) -> Overlap:
    """The overlap of two multisets: a token that comes twice has to be found twice."""
    return overlap_of((Counter(found) & Counter(wanted)).total(), len(found), len(wanted))


def overlap_of(common: int, found: int, wanted: int) -> Overlap:
    """The overlap of two lists of `found` and `wanted` tokens that have `common` ones in common."""
    if common == 0:
        return Overlap(0.0, 0.0, 0.0)
    precision, recall = common / found, common / wanted
    return Overlap(precision, recall, 2 * precision * recall / (precision + recall))
