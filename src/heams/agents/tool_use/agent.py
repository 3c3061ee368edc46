"""A language model that reaches the memory through tools."""

from functools import cached_property
from typing import TYPE_CHECKING

from heams.agents.base import Agent, AgentCapabilities, AgentScope, AgentSession
from heams.agents.tool_use.config import ToolUseAgentConfig

if TYPE_CHECKING:
    from heams.agents.tool_use.loop import ToolLoop


class ToolUseAgent(Agent):
    """One model for all sessions. With MCP servers it owns its memory; it cannot fork what they keep."""

    config: ToolUseAgentConfig

    def __init__(self, config: ToolUseAgentConfig) -> None:
        super().__init__(config)
        self.capabilities = AgentCapabilities(owns_memory=bool(config.mcp_servers))

    async def start(self) -> None:
        """Open the model, and see whether the servers start and offer what the configuration names.

        Raises:
            ModelSetupError: the model cannot be called as it is configured, or the extra ``mcp`` is not installed.
            McpServerFailed: a server cannot be started, or does not offer a tool that is named.
        """
        _ = self._loop
        if self.config.mcp_servers:
            from heams.agents.tool_use.servers import McpServers

            await (await McpServers.open(self.config.mcp_servers)).close()

    async def open(self, scope: AgentScope) -> AgentSession:
        """A session, with servers of its own where the configuration names some."""
        from heams.agents.tool_use.session import ToolUseSession

        if not self.config.mcp_servers:
            return ToolUseSession(self.config, self._loop, None)
        from heams.agents.tool_use.servers import McpServers

        return ToolUseSession(self.config, self._loop, await McpServers.open(self.config.mcp_servers))

    @cached_property
    def _loop(self) -> "ToolLoop":
        from heams.agents.tool_use.loop import ToolLoop
        from heta_framework.common.models.providers.chat import PathModel

        return ToolLoop(self.config, PathModel(self.config, role="agent"))
