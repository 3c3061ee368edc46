"""``stale``: does an agent stop using a memory that a later one has silently ended, and keep using one that holds?"""

from heams.benchmarks.stale.benchmark import StaleBenchmark
from heams.benchmarks.stale.config import StaleBenchmarkConfig

__all__ = ["StaleBenchmark", "StaleBenchmarkConfig"]
