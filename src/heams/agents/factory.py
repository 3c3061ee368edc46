"""All agent configurations as one union, and the agent that belongs to each."""

from typing import Annotated, assert_never

from pydantic import Field

from heams.agents.base import Agent
from heams.agents.command import CommandAgent, CommandAgentConfig
from heams.agents.extractive import ExtractiveAgent, ExtractiveAgentConfig
from heams.agents.http import HttpAgent, HttpAgentConfig
from heams.agents.scripted import ScriptedAgent, ScriptedAgentConfig

AgentConfig = Annotated[
    ExtractiveAgentConfig | ScriptedAgentConfig | CommandAgentConfig | HttpAgentConfig, Field(discriminator="type")
]


def create_agent(config: AgentConfig) -> Agent:
    """The agent for a configuration."""
    match config:
        case ExtractiveAgentConfig():
            return ExtractiveAgent(config)
        case ScriptedAgentConfig():
            return ScriptedAgent(config)
        case CommandAgentConfig():
            return CommandAgent(config)
        case HttpAgentConfig():
            return HttpAgent(config)
    assert_never(config)


__all__ = ["AgentConfig", "create_agent"]
