"""The measures, one idea a file, each bit for bit what trec_eval computes."""

from heta_framework.evaluation.trec.measures.average_precision import average_precision
from heta_framework.evaluation.trec.measures.catalogue import DEFAULT_CUTOFFS, METRICS, Measure, default_measures
from heta_framework.evaluation.trec.measures.ndcg import ndcg, ndcg_exponential
from heta_framework.evaluation.trec.measures.precision import precision
from heta_framework.evaluation.trec.measures.recall import recall
from heta_framework.evaluation.trec.measures.reciprocal_rank import reciprocal_rank

__all__ = [
    "DEFAULT_CUTOFFS",
    "METRICS",
    "Measure",
    "average_precision",
    "default_measures",
    "ndcg",
    "ndcg_exponential",
    "precision",
    "recall",
    "reciprocal_rank",
]
