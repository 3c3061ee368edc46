"""Agents that are a program, written in any language: JSON lines on stdin and stdout; see docs/protocol.md."""

from typing import Literal

from heams.external.pool import ProcessPool
from heams.external.remote_agent import RemoteAgent
from heams.external.settings import ProgramSettings


class CommandAgentConfig(ProgramSettings):
    """An agent in any language: a program that speaks JSON lines."""

    type: Literal["command"] = "command"


class CommandAgent(RemoteAgent):
    """An agent that is a program."""

    def __init__(self, config: CommandAgentConfig) -> None:
        super().__init__(config, ProcessPool(config, "agent"))
