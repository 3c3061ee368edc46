"""All agent configurations as one union, and the agent that belongs to each."""

from typing import Annotated, assert_never

from pydantic import Field

from heams.agents.base import Agent
from heams.agents.command import CommandAgent, CommandAgentConfig
from heams.agents.context import ContextAgent, ContextAgentConfig
from heams.agents.extractive import ExtractiveAgent, ExtractiveAgentConfig
from heams.agents.http import HttpAgent, HttpAgentConfig
from heams.agents.learner import LearnerAgent, LearnerAgentConfig
from heams.agents.scripted import ScriptedAgent, ScriptedAgentConfig
from heams.agents.tool_use import ToolUseAgent, ToolUseAgentConfig

AgentConfig = Annotated[
    ExtractiveAgentConfig
    | LearnerAgentConfig
    | ContextAgentConfig
    | ToolUseAgentConfig
    | ScriptedAgentConfig
    | CommandAgentConfig
    | HttpAgentConfig,
    Field(discriminator="type"),
]


def create_agent(config: AgentConfig) -> Agent:
    """The agent for a configuration."""
    match config:
        case ExtractiveAgentConfig():
            return ExtractiveAgent(config)
        case LearnerAgentConfig():
            return LearnerAgent(config)
        case ContextAgentConfig():
            return ContextAgent(config)
        case ToolUseAgentConfig():
            return ToolUseAgent(config)
        case ScriptedAgentConfig():
            return ScriptedAgent(config)
        case CommandAgentConfig():
            return CommandAgent(config)
        case HttpAgentConfig():
            return HttpAgent(config)
    assert_never(config)


__all__ = ["AgentConfig", "create_agent"]
