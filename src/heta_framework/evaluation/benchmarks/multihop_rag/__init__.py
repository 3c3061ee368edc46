"""MultiHop-RAG (Tang and Yang 2024, arXiv 2401.15391): questions that need two to four news articles."""

from heta_framework.evaluation.benchmarks.multihop_rag.benchmark import MultiHopRagBenchmark
from heta_framework.evaluation.benchmarks.multihop_rag.facts import MULTIHOP_RAG_CORPUS_URL, MULTIHOP_RAG_QUERIES_URL
from heta_framework.evaluation.benchmarks.multihop_rag.metric import MultiHopRagMetric, multihop_rag_default_metrics

__all__ = [
    "MULTIHOP_RAG_CORPUS_URL",
    "MULTIHOP_RAG_QUERIES_URL",
    "MultiHopRagBenchmark",
    "MultiHopRagMetric",
    "multihop_rag_default_metrics",
]
