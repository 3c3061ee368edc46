"""``transparency``: does what is said about the memory agree with what the memory holds?"""

from heams.benchmarks.transparency.benchmark import TransparencyBenchmark
from heams.benchmarks.transparency.config import TransparencyBenchmarkConfig

__all__ = ["TransparencyBenchmark", "TransparencyBenchmarkConfig"]
