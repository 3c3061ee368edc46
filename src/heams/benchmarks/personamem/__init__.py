"""PersonaMem: does an agent know a user whose preferences change over many sessions?"""

from heams.benchmarks.personamem.benchmark import PersonaMemBenchmark
from heams.benchmarks.personamem.config import PersonaMemBenchmarkConfig

__all__ = ["PersonaMemBenchmark", "PersonaMemBenchmarkConfig"]
