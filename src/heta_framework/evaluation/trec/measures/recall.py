"""Recall at k: the share of the relevant documents that are among the first k (trec_eval's ``recall_k``)."""

from __future__ import annotations

from heta_framework.evaluation.trec.judging import JudgedRanking


def recall(judged: JudgedRanking, k: int) -> float:
    """In [0, 1]; 0 where no document is relevant."""
    return judged.found(k) / len(judged.ideal) if judged.ideal else 0.0
