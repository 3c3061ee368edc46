"""``ci``: does an agent that remembers everything about somebody reveal what a message needs, and nothing else?"""

from heams.benchmarks.contextual_integrity.benchmark import ContextualIntegrityBenchmark
from heams.benchmarks.contextual_integrity.config import ContextualIntegrityBenchmarkConfig

__all__ = ["ContextualIntegrityBenchmark", "ContextualIntegrityBenchmarkConfig"]
