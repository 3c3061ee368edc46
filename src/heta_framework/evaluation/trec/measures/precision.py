"""Precision at k: the share of the first k places that hold a relevant document (trec_eval's ``P_k``)."""

from __future__ import annotations

from heta_framework.evaluation.trec.judging import JudgedRanking


def precision(judged: JudgedRanking, k: int) -> float:
    """In [0, 1]. Divided by `k` also where fewer documents were retrieved."""
    return judged.found(k) / k
