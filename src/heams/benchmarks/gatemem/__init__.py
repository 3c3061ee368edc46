"""``gatemem``: a memory that several people share: of use to each, closed to those it does not concern, forgetful."""

from heams.benchmarks.gatemem.benchmark import GateMemBenchmark
from heams.benchmarks.gatemem.config import GateMemBenchmarkConfig

__all__ = ["GateMemBenchmark", "GateMemBenchmarkConfig"]
