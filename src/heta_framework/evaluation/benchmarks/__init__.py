"""Benchmarks of others as documents, cases and run units: your own JSON Lines, BEIR, MultiHop-RAG, UDA."""

from heta_framework.evaluation.benchmarks.beir import (
    BEIR_DATASET_BASE_URL,
    BEIR_GITHUB_URL,
    BEIR_RECOMMENDED_DATASETS,
    BeirBenchmark,
)
from heta_framework.evaluation.benchmarks.jsonl import JsonlBenchmark
from heta_framework.evaluation.benchmarks.multihop_rag import (
    MULTIHOP_RAG_CORPUS_URL,
    MULTIHOP_RAG_QUERIES_URL,
    MultiHopRagBenchmark,
    MultiHopRagMetric,
    multihop_rag_default_metrics,
)
from heta_framework.evaluation.benchmarks.uda import (
    UDA_EXTENDED_BENCH_BASE_URL,
    UDA_GITHUB_URL,
    UDA_QA_BASE_URL,
    UDA_SOURCE_DOCS_REPO_ID,
    UDA_SOURCE_DOCS_URL,
    UdaBenchmark,
    UdaSubset,
)

__all__ = [
    "BEIR_DATASET_BASE_URL",
    "BEIR_GITHUB_URL",
    "BEIR_RECOMMENDED_DATASETS",
    "MULTIHOP_RAG_CORPUS_URL",
    "MULTIHOP_RAG_QUERIES_URL",
    "UDA_EXTENDED_BENCH_BASE_URL",
    "UDA_GITHUB_URL",
    "UDA_QA_BASE_URL",
    "UDA_SOURCE_DOCS_REPO_ID",
    "UDA_SOURCE_DOCS_URL",
    "BeirBenchmark",
    "JsonlBenchmark",
    "MultiHopRagBenchmark",
    "MultiHopRagMetric",
    "UdaBenchmark",
    "UdaSubset",
    "multihop_rag_default_metrics",
]
