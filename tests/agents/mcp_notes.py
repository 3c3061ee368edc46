"""An MCP server that keeps notes in the file named by its only argument: a real one, for tests."""

import json
import os
import sys
from pathlib import Path

try:
    from mcp.server.mcpserver import MCPServer
except ImportError:  # before version 2 of the package
    from mcp.server.fastmcp import FastMCP as MCPServer

FILE = Path(sys.argv[1])
server = MCPServer("notes")


def _notes() -> list[str]:
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []


@server.tool()
def add_note(text: str) -> str:
    """Keep a note."""
    FILE.write_text(json.dumps([*_notes(), text]), encoding="utf-8")
    return "kept"


@server.tool()
def find_notes(query: str) -> list[str]:
    """Notes that contain a word."""
    return [note for note in _notes() if query.lower() in note.lower()]


@server.tool()
def drop_note(query: str) -> str:
    """Drop notes that contain a word."""
    FILE.write_text(json.dumps([note for note in _notes() if query.lower() not in note.lower()]), encoding="utf-8")
    return "dropped"


@server.tool()
def environment() -> dict[str, str]:
    """What the program sees."""
    return dict(os.environ)


@server.tool()
def long_text() -> str:
    """A very long text."""
    return "many words " * 100_000


@server.tool()
def fail() -> str:
    """Always fails."""
    raise ValueError("this tool is out of order")


@server.tool()
def die() -> str:
    """End the program."""
    print("my last words", file=sys.stderr, flush=True)
    os._exit(3)


@server.tool()
async def hang() -> str:
    """Never answers."""
    import anyio

    await anyio.sleep_forever()
    return ""


if __name__ == "__main__":
    server.run(transport=sys.argv[2] if len(sys.argv) > 2 else "stdio")
