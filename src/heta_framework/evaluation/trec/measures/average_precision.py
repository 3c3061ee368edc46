"""Average precision of the first k documents (trec_eval's ``map_cut_k``): its mean over questions is the MAP at k.

The precision at each relevant document found within k is summed and divided by the number of ALL relevant documents,
not by min(that number, k) as some packages do; so MAP@1 of a question with five relevant documents is at most 0.2.
"""

from __future__ import annotations

from itertools import accumulate

from heta_framework.evaluation.trec.judging import JudgedRanking


def average_precision(judged: JudgedRanking, k: int) -> float:
    """In [0, 1]; 0 where no document is relevant."""
    return judged.once(_sums)[judged.found(k)] / len(judged.ideal) if judged.ideal else 0.0


def _sums(judged: JudgedRanking) -> list[float]:
    """The sum of precisions over the first 0, 1, 2 ... relevant documents found.

    Added one after the other: the built-in ``sum`` compensates rounding, trec_eval does not.
    """
    return list(accumulate((found / rank for found, rank in enumerate(judged.ranks, start=1)), initial=0.0))
