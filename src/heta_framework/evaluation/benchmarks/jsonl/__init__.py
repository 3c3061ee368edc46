"""Your own documents and cases, from two JSON Lines files."""

from heta_framework.evaluation.benchmarks.jsonl.benchmark import JsonlBenchmark

__all__ = ["JsonlBenchmark"]
