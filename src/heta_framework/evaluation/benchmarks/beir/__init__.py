"""Datasets in BEIR's format: a corpus, queries, and how relevant which document is to which query."""

from heta_framework.evaluation.benchmarks.beir.benchmark import BeirBenchmark
from heta_framework.evaluation.benchmarks.beir.facts import (
    BEIR_DATASET_BASE_URL,
    BEIR_GITHUB_URL,
    BEIR_RECOMMENDED_DATASETS,
)

__all__ = ["BEIR_DATASET_BASE_URL", "BEIR_GITHUB_URL", "BEIR_RECOMMENDED_DATASETS", "BeirBenchmark"]
