"""The desk as tools of a model."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from pydantic_ai import RunContext, Tool
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.toolsets import FunctionToolset

from heams.memory.notes.config import NoteTool
from heams.memory.notes.desk import Desk, Refused

Numbers = tuple[int, ...]
FORGETTING: tuple[NoteTool, ...] = ("list_files", "read_file", "replace_text", "delete_file")
"""The tools of a model that is to take something out: none that only adds."""


async def list_files(ctx: RunContext[Desk]) -> str:
    """Names and lengths."""
    return ctx.deps.listing() or "There are no files."


async def read_file(ctx: RunContext[Desk], name: str) -> str:
    """The text of one file."""
    with _told():
        return ctx.deps.read(name) or "The file is empty."


async def create_file(ctx: RunContext[Desk], name: str, text: str, sources: Numbers = ()) -> str:
    """A new file."""
    with _told():
        ctx.deps.create(name, text, sources)
        return "Created."


async def append(ctx: RunContext[Desk], name: str, text: str, sources: Numbers = ()) -> str:
    """Lines at the end of a file."""
    with _told():
        ctx.deps.append(name, text, sources)
        return "Appended."


async def replace_text(ctx: RunContext[Desk], name: str, old: str, new: str, sources: Numbers = ()) -> str:
    """A passage in a file replaced by another."""
    with _told():
        ctx.deps.replace(name, old, new, sources)
        return "Replaced."


async def delete_file(ctx: RunContext[Desk], name: str) -> str:
    """A file removed."""
    with _told():
        ctx.deps.delete(name)
        return "Deleted."


_TOOLS = {tool.__name__: tool for tool in (list_files, read_file, create_file, append, replace_text, delete_file)}


def desk_toolset(descriptions: Mapping[str, str]) -> FunctionToolset[Desk]:
    """The tools that are described; one call after the other, since each sees what the one before it did."""
    return FunctionToolset(
        [
            Tool(_TOOLS[name], takes_ctx=True, name=name, description=description, sequential=True)
            for name, description in descriptions.items()
        ]
    )


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except Refused as refusal:
        raise ToolFailed(str(refusal)) from refusal
