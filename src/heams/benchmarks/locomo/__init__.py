"""LoCoMo: questions about very long conversations of two people (Maharana et al. 2024, arXiv 2402.17753)."""

from heams.benchmarks.locomo.benchmark import LocomoBenchmark
from heams.benchmarks.locomo.categories import CATEGORY_NAMES
from heams.benchmarks.locomo.config import LocomoBenchmarkConfig, LocomoPrompts

__all__ = ["CATEGORY_NAMES", "LocomoBenchmark", "LocomoBenchmarkConfig", "LocomoPrompts"]
