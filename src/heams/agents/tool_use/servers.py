"""The MCP servers of one session: started for it, kept open by tasks of their own, ended with it."""

import asyncio
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self
from uuid import uuid4

from heams.agents.tool_use.mcp_config import McpServerConfig
from heta_framework.common.models.errors import ModelSetupError

if TYPE_CHECKING:
    from pydantic_ai.toolsets import AbstractToolset

    from heams.agents.tool_use.memory_tools import Access


class McpServerFailed(RuntimeError):  # noqa: N818 - reads as what happened
    """An MCP server cannot be used, or stopped working; the message says which one and what it said last."""


class McpServers:
    """Connections to the servers of a configuration, with a private folder for what they keep."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="heams-mcp-"))
        self._closing = asyncio.Event()
        self._keepers: list[asyncio.Task[None]] = []
        self.toolsets: list[AbstractToolset[Access]] = []

    @classmethod
    async def open(cls, configs: Sequence[McpServerConfig]) -> Self:
        """Start or reach all servers.

        Raises:
            ModelSetupError: the extra ``mcp`` is not installed.
            McpServerFailed: one cannot be used.
        """
        servers = cls()
        try:
            for number, config in enumerate(configs):
                await servers._connect(config, servers._folder / str(number))
        except BaseException:
            await servers.close()
            raise
        return servers

    async def close(self) -> None:
        """End the connections, and the programs behind them, and remove the folder."""
        self._closing.set()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)

    async def _connect(self, config: McpServerConfig, folder: Path) -> None:
        try:
            from heams.agents.tool_use.server_tools import ServerTools, connection
        except ImportError as error:
            raise ModelSetupError(
                "'mcp_servers' need a package that is not installed: pip install 'heams[mcp]'"
            ) from error
        tools = ServerTools(connection(config, folder, session=uuid4().hex), config, folder)
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._keepers.append(asyncio.create_task(self._keep(tools, ready), name=config.label))
        await tools.checked(ready)
        self.toolsets.append(tools)

    async def _keep(self, tools: "AbstractToolset[Access]", ready: "asyncio.Future[None]") -> None:
        """Hold a connection: it must be left by the task that entered it."""
        try:
            async with tools:
                ready.set_result(None)
                await self._closing.wait()
        except Exception as error:  # noqa: BLE001 - somebody else's program may fail in any way
            with suppress(asyncio.InvalidStateError):
                ready.set_exception(error)
