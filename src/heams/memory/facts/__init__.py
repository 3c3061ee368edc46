"""``facts``: a model extracts facts from what is heard, keeps them free of duplicates, updates and deletes them."""

from heams.memory.facts.config import FactsMemoryConfig
from heams.memory.facts.system import FactsMemorySystem

__all__ = ["FactsMemoryConfig", "FactsMemorySystem"]
