"""Normalised discounted cumulative gain of the first k documents (trec_eval's ``ndcg_cut_k``).

A document at rank r with label l gains l / log2(r + 1): the linear gain of Järvelin & Kekäläinen, "Cumulated gain-based
evaluation of IR techniques" (ACM TOIS 20(4), 2002), which trec_eval, and so BEIR, compute. The exponential gain 2^l - 1
of Burges et al., "Learning to rank using gradient descent" (ICML 2005) is another measure where labels are graded; the
two are the same where all labels are 0 or 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from math import ldexp, log2

from heta_framework.evaluation.trec.judging import JudgedRanking


def ndcg(judged: JudgedRanking, k: int) -> float:
    """With linear gain, in [0, 1]; 0 where no document is relevant. The ideal ranking is cut at `k` as well."""
    return _normalised(judged, k, judged.once(_linear), judged.once(_ideal_linear))


def ndcg_exponential(judged: JudgedRanking, k: int) -> float:
    """With the gain 2^label - 1, in [0, 1]; 0 where no document is relevant. Labels may be of any size."""
    return _normalised(judged, k, judged.once(_exponential), judged.once(_ideal_exponential))


def _normalised(judged: JudgedRanking, k: int, gained: list[float], ideal: list[float]) -> float:
    return gained[judged.found(k)] / ideal[min(k, len(judged.ideal))] if judged.ideal else 0.0


def _linear(judged: JudgedRanking) -> list[float]:
    return _discounted(zip(judged.ranks, judged.levels, strict=True))


def _ideal_linear(judged: JudgedRanking) -> list[float]:
    return _discounted(enumerate(judged.ideal, start=1))


def _exponential(judged: JudgedRanking) -> list[float]:
    return _discounted(zip(judged.ranks, _powers(judged.levels, judged), strict=True))


def _ideal_exponential(judged: JudgedRanking) -> list[float]:
    return _discounted(enumerate(_powers(judged.ideal, judged), start=1))


def _powers(levels: Iterable[int], judged: JudgedRanking) -> Iterable[float]:
    """2^level - 1 in units of 2^(highest level): the units cancel out, and no label overflows."""
    highest = judged.ideal[0] if judged.ideal else 0
    return (ldexp(1.0, max(level - highest, -1100)) - ldexp(1.0, max(-highest, -1100)) for level in levels)


def _discounted(gains: Iterable[tuple[int, float]]) -> list[float]:
    """The sums over the first 0, 1, 2 ... (rank, gain), added one after the other as trec_eval adds them."""
    return list(accumulate((gain / log2(rank + 1) for rank, gain in gains), initial=0.0))
