"""All memory system configurations as one union, and the memory system that belongs to each."""

from typing import Annotated, assert_never

from pydantic import Field

from heams.memory.base import MemorySystem
from heams.memory.command import CommandMemoryConfig, CommandMemorySystem
from heams.memory.facts import FactsMemoryConfig, FactsMemorySystem
from heams.memory.full_context import FullContextConfig, FullContextSystem
from heams.memory.governance.system import governed
from heams.memory.graphiti import GraphitiMemoryConfig, GraphitiMemorySystem
from heams.memory.http import HttpMemoryConfig, HttpMemorySystem
from heams.memory.hybrid import HybridMemoryConfig, HybridMemorySystem
from heams.memory.knowledge_base import KnowledgeBaseMemoryConfig, KnowledgeBaseMemorySystem
from heams.memory.langmem import LangMemMemoryConfig, LangMemMemorySystem
from heams.memory.lexical import LexicalMemoryConfig, LexicalMemorySystem
from heams.memory.mem0 import Mem0MemoryConfig, Mem0MemorySystem
from heams.memory.no_memory import NoMemoryConfig, NoMemorySystem
from heams.memory.notes import NotesMemoryConfig, NotesMemorySystem
from heams.memory.oracle import OracleConfig, OracleSystem
from heams.memory.summary import SummaryMemoryConfig, SummaryMemorySystem
from heams.memory.vector import VectorMemoryConfig, VectorMemorySystem

MemorySystemConfig = Annotated[
    NoMemoryConfig
    | FullContextConfig
    | OracleConfig
    | LexicalMemoryConfig
    | VectorMemoryConfig
    | HybridMemoryConfig
    | KnowledgeBaseMemoryConfig
    | FactsMemoryConfig
    | SummaryMemoryConfig
    | NotesMemoryConfig
    | Mem0MemoryConfig
    | LangMemMemoryConfig
    | GraphitiMemoryConfig
    | CommandMemoryConfig
    | HttpMemoryConfig,
    Field(discriminator="type"),
]


def create_memory_system(config: MemorySystemConfig) -> MemorySystem:  # noqa: C901 - one branch a type
    """The memory system for a configuration."""
    match config:
        case NoMemoryConfig():
            return NoMemorySystem(config)
        case FullContextConfig():
            return FullContextSystem(config)
        case OracleConfig():
            return OracleSystem(config)
        case LexicalMemoryConfig():
            return governed(LexicalMemorySystem(config), config.retention, config.access, config.screening)
        case VectorMemoryConfig():
            return governed(VectorMemorySystem(config), config.retention, config.access, config.screening)
        case HybridMemoryConfig():
            return governed(HybridMemorySystem(config), config.retention, config.access, config.screening)
        case KnowledgeBaseMemoryConfig():
            return governed(KnowledgeBaseMemorySystem(config), config.retention, config.access, config.screening)
        case FactsMemoryConfig():
            return governed(FactsMemorySystem(config), config.retention, config.access, config.screening)
        case SummaryMemoryConfig():
            return SummaryMemorySystem(config)
        case NotesMemoryConfig():
            return NotesMemorySystem(config)
        case Mem0MemoryConfig():
            return Mem0MemorySystem(config)
        case LangMemMemoryConfig():
            return LangMemMemorySystem(config)
        case GraphitiMemoryConfig():
            return GraphitiMemorySystem(config)
        case CommandMemoryConfig():
            return CommandMemorySystem(config)
        case HttpMemoryConfig():
            return HttpMemorySystem(config)
    assert_never(config)


__all__ = ["MemorySystemConfig", "create_memory_system"]
