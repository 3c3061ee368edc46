"""``summary``: a model keeps one running summary of everything that was heard."""

from heams.memory.summary.config import SummaryMemoryConfig
from heams.memory.summary.system import SummaryMemorySystem

__all__ = ["SummaryMemoryConfig", "SummaryMemorySystem"]
