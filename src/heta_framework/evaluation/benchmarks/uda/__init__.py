"""UDA (Hui, Lu and Zhang 2024, arXiv 2406.15187): questions on whole documents, one knowledge base a document."""

from heta_framework.evaluation.benchmarks.uda.benchmark import UdaBenchmark
from heta_framework.evaluation.benchmarks.uda.facts import (
    UDA_EXTENDED_BENCH_BASE_URL,
    UDA_GITHUB_URL,
    UDA_QA_BASE_URL,
    UDA_SOURCE_DOCS_REPO_ID,
    UDA_SOURCE_DOCS_URL,
    UdaSubset,
)

__all__ = [
    "UDA_EXTENDED_BENCH_BASE_URL",
    "UDA_GITHUB_URL",
    "UDA_QA_BASE_URL",
    "UDA_SOURCE_DOCS_REPO_ID",
    "UDA_SOURCE_DOCS_URL",
    "UdaBenchmark",
    "UdaSubset",
]
