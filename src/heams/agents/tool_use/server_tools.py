"""The tools of one MCP server, as a model is offered them: those that are allowed, bounded and counted."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fastmcp.client.transports import StdioTransport  # type: ignore[import-not-found, unused-ignore]
from pydantic_ai import RunContext
from pydantic_ai.exceptions import ModelRetry, ToolFailed
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset
from pydantic_core import to_json

from heams.agents.tool_use.mcp_config import DIRECTORY, SESSION, McpServerConfig
from heams.agents.tool_use.memory_tools import Access
from heams.agents.tool_use.rendering import bounded
from heams.agents.tool_use.servers import McpServerFailed
from heta_framework.common.config import nearest

_PASSED_ON = ("PATH", "HOME", "LANG")
_LAST_WORDS = 500
_BROKEN = frozenset({-32000, -32001, 408})
"""Codes of MCP errors that are no mistake of the caller: the connection is closed, or the server did not answer."""


def connection(config: McpServerConfig, folder: Path, *, session: str) -> MCPToolset[Access]:
    """A connection that is not opened yet; ``folder`` is the program's own."""
    folder.mkdir()
    options: dict[str, Any] = {
        "tool_error_behavior": "failed",
        "init_timeout": config.startup_timeout_s,
        "read_timeout": config.call_timeout_s,
    }
    if config.url is not None:
        headers = {name: value.get_secret_value() for name, value in config.headers.items()}
        told = {name: value.replace(SESSION, session) for name, value in headers.items()}
        return MCPToolset(config.url.replace(SESSION, session), headers=told or None, **options)
    command = [part.replace(DIRECTORY, str(folder)) for part in config.command or ()]
    transport = StdioTransport(
        command[0],
        command[1:],
        env=_environment(config, folder),
        cwd=str(config.cwd),
        keep_alive=False,
        log_file=_log_of(folder),
    )
    return MCPToolset(transport, **options)


class ServerTools(WrapperToolset[Access]):
    """The tools of one server."""

    def __init__(self, connection: MCPToolset[Access], config: McpServerConfig, folder: Path) -> None:
        super().__init__(connection)
        self._connection = connection
        self._config = config
        self._log = _log_of(folder)

    async def checked(self, ready: "asyncio.Future[None]") -> None:
        """Wait for the connection and compare what the server offers with what the configuration names.

        Raises:
            McpServerFailed: it cannot be used.
        """
        try:
            async with asyncio.timeout(self._config.startup_timeout_s):
                await ready
                offered = [tool.name for tool in await self._connection.list_tools()]
        except TimeoutError:
            raise self._failed(f"did not start within {self._config.startup_timeout_s:g} s") from None
        except Exception as error:  # somebody else's program may fail in any way
            raise self._failed(f"cannot be used: {_words(error)}") from error
        for name in self._config.tools or ():
            if name not in offered:
                near = nearest(name, offered)
                hint = f"; did you mean {near!r}?" if near else ""
                raise self._failed(f"offers no tool {name!r}; it offers {', '.join(offered)}{hint}")

    async def get_tools(self, ctx: RunContext[Access]) -> dict[str, ToolsetTool[Access]]:
        """The tools that are allowed, to be called one after the other."""
        allowed = self._config.tools
        return {
            name: replace(tool, tool_def=replace(tool.tool_def, sequential=True))
            for name, tool in (await super().get_tools(ctx)).items()
            if allowed is None or name in allowed
        }

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Access], tool: ToolsetTool[Access]
    ) -> Any:
        """The result as text of bearable length. A server that is gone ends the run instead of being answered for."""
        ctx.deps.count_call()
        try:
            result = await super().call_tool(name, tool_args, ctx, tool)
        except ToolFailed:
            raise
        except ModelRetry as error:
            if _code_of(error.__cause__) not in _BROKEN:
                raise
            raise self._failed(f"stopped working in {name!r}: {error}") from error
        except Exception as error:  # somebody else's program may fail in any way
            raise self._failed(f"stopped working in {name!r}: {_words(error)}") from error
        text = result if isinstance(result, str) else to_json(result, fallback=str).decode()
        return ctx.deps.keep(bounded(text, ctx.deps.config.result_tokens))

    def _failed(self, what: str) -> McpServerFailed:
        said = self._log.read_text(encoding="utf-8", errors="replace").strip() if self._log.is_file() else ""
        heard = f"; it said: {said[-_LAST_WORDS:]}" if said else ""
        return McpServerFailed(f"{self._config.label} {what}{heard}")


def _environment(config: McpServerConfig, folder: Path) -> Mapping[str, str]:
    kept = os.environ if config.inherit_env else {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    own = {name: value.replace(DIRECTORY, str(folder)) for name, value in config.env.items()}
    return {**kept, **own}


def _log_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.log")


def _words(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__


def _code_of(error: BaseException | None) -> int | None:
    """The code of an MCP error, which version 1 of the package keeps one level deeper."""
    code = getattr(getattr(error, "error", error), "code", None)
    return code if isinstance(code, int) else None
