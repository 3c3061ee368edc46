"""Memory systems that are a program, written in any language: JSON lines on stdin and stdout; see docs/protocol.md."""

from typing import Literal

from heams.external.pool import ProcessPool
from heams.external.remote_memory import RemoteMemorySystem
from heams.external.settings import ProgramSettings


class CommandMemoryConfig(ProgramSettings):
    """A memory system in any language: a program that speaks JSON lines."""

    type: Literal["command"] = "command"


class CommandMemorySystem(RemoteMemorySystem):
    """A memory system that is a program."""

    def __init__(self, config: CommandMemoryConfig) -> None:
        super().__init__(config, ProcessPool(config, "memory"))
