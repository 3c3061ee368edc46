"""Reciprocal rank: 1 / rank of the first relevant document (trec_eval's ``recip_rank``, of the run cut at k)."""

from __future__ import annotations

from heta_framework.evaluation.trec.judging import JudgedRanking


def reciprocal_rank(judged: JudgedRanking, k: int) -> float:
    """In [0, 1]; 0 where none of the first `k` documents is relevant. Its mean over questions is the MRR."""
    return 1 / judged.ranks[0] if judged.ranks and judged.ranks[0] <= k else 0.0
