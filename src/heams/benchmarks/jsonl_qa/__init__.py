"""Your own conversations and questions, from a JSON Lines file."""

from heams.benchmarks.jsonl_qa.benchmark import JsonlQABenchmark
from heams.benchmarks.jsonl_qa.config import JsonlQABenchmarkConfig

__all__ = ["JsonlQABenchmark", "JsonlQABenchmarkConfig"]
