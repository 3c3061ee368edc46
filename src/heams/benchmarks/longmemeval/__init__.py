"""``longmemeval``: five abilities of a chat assistant's memory, each question about a haystack of its own."""

from heams.benchmarks.longmemeval.benchmark import LongMemEvalBenchmark
from heams.benchmarks.longmemeval.config import LongMemEvalBenchmarkConfig

__all__ = ["LongMemEvalBenchmark", "LongMemEvalBenchmarkConfig"]
