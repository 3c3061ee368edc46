"""PrefEval: does an agent act by a preference that was told, or only shown, long before?"""

from heams.benchmarks.prefeval.benchmark import PrefEvalBenchmark
from heams.benchmarks.prefeval.config import PrefEvalBenchmarkConfig

__all__ = ["PrefEvalBenchmark", "PrefEvalBenchmarkConfig"]
