"""All memory system configurations as one union, and the memory system that belongs to each."""

from typing import Annotated, assert_never

from pydantic import Field

from heams.memory.base import MemorySystem
from heams.memory.command import CommandMemoryConfig, CommandMemorySystem
from heams.memory.full_context import FullContextConfig, FullContextSystem
from heams.memory.http import HttpMemoryConfig, HttpMemorySystem
from heams.memory.hybrid import HybridMemoryConfig, HybridMemorySystem
from heams.memory.lexical import LexicalMemoryConfig, LexicalMemorySystem
from heams.memory.no_memory import NoMemoryConfig, NoMemorySystem
from heams.memory.oracle import OracleConfig, OracleSystem
from heams.memory.vector import VectorMemoryConfig, VectorMemorySystem

MemorySystemConfig = Annotated[
    NoMemoryConfig
    | FullContextConfig
    | OracleConfig
    | LexicalMemoryConfig
    | VectorMemoryConfig
    | HybridMemoryConfig
    | CommandMemoryConfig
    | HttpMemoryConfig,
    Field(discriminator="type"),
]


def create_memory_system(config: MemorySystemConfig) -> MemorySystem:
    """The memory system for a configuration."""
    match config:
        case NoMemoryConfig():
            return NoMemorySystem(config)
        case FullContextConfig():
            return FullContextSystem(config)
        case OracleConfig():
            return OracleSystem(config)
        case LexicalMemoryConfig():
            return LexicalMemorySystem(config)
        case VectorMemoryConfig():
            return VectorMemorySystem(config)
        case HybridMemoryConfig():
            return HybridMemorySystem(config)
        case CommandMemoryConfig():
            return CommandMemorySystem(config)
        case HttpMemoryConfig():
            return HttpMemorySystem(config)
    assert_never(config)


__all__ = ["MemorySystemConfig", "create_memory_system"]
