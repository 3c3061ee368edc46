"""``mpbench``: can a memory be poisoned by what it hears from sources that nobody vouches for?"""

from heams.benchmarks.mpbench.benchmark import MPBenchBenchmark
from heams.benchmarks.mpbench.config import MPBenchBenchmarkConfig

__all__ = ["MPBenchBenchmark", "MPBenchBenchmarkConfig"]
