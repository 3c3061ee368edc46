"""``knowledge_base``: a knowledge base of any recipe as a memory, asked in any of its query modes."""

from heams.memory.knowledge_base.config import KnowledgeBaseMemoryConfig
from heams.memory.knowledge_base.system import KnowledgeBaseMemorySystem

__all__ = ["KnowledgeBaseMemoryConfig", "KnowledgeBaseMemorySystem"]
