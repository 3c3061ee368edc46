"""``ee``, experience evolution: does an agent get better by what it lived through?"""

from heams.benchmarks.ee.benchmark import EEBenchmark
from heams.benchmarks.ee.config import EEBenchmarkConfig

__all__ = ["EEBenchmark", "EEBenchmarkConfig"]
