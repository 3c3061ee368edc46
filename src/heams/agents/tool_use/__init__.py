"""The ``tool_use`` agent: a language model that reaches the memory through tools."""

from heams.agents.tool_use.agent import ToolUseAgent
from heams.agents.tool_use.config import ToolUseAgentConfig

__all__ = ["ToolUseAgent", "ToolUseAgentConfig"]
