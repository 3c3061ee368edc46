"""The memory as tools of a model. What the memory cannot do is told to the model; what breaks is not."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field, ValidationError
from pydantic_ai import RunContext, Tool
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset

from heams.agents.base import MemoryPort
from heams.agents.tool_use.config import ToolUseAgentConfig
from heams.agents.tool_use.rendering import Rendered, render_items
from heams.memory.base import MemoryItem, UnsupportedOperation
from heta_framework.common.text.surrogates import replace_surrogates


class MemoryFailed(RuntimeError):  # noqa: N818 - reads as what happened
    """The memory behind a tool raised something that pydantic-ai would take for a mistake of the model."""


@dataclass(slots=True)
class Access:
    """What the tools of one run of the model work on, and what they have to report of it.

    ``memory`` is None for an agent that keeps its memory elsewhere. ``shown`` maps the ids of items that the model saw
    in this session to the ids of the events behind them.
    """

    config: ToolUseAgentConfig
    memory: MemoryPort | None
    shown: dict[str, tuple[str, ...]]
    calls: int = 0
    cut_results: int = 0
    unsupported: list[str] = field(default_factory=list)

    def count_call(self) -> None:
        """One more tool call. Raises ``ToolFailed`` past ``call_limit``."""
        self.calls += 1
        if self.calls > self.config.call_limit:
            raise ToolFailed(f"not called: the limit of {self.config.call_limit} tool calls is reached; answer now")

    def show(self, items: Sequence[MemoryItem], none: str) -> str:
        """Items for the model, or ``none`` in words."""
        self.shown.update({item.id: item.event_ids or (item.id,) for item in items})
        return self.keep(render_items(items, self.config.result_tokens)) or none

    def keep(self, rendered: Rendered) -> str:
        """A text for the model, counted where it was cut."""
        self.cut_results += rendered.cut
        return rendered.text


async def search_memory(ctx: RunContext[Access], query: str, limit: Annotated[int | None, Field(ge=1)] = None) -> str:
    """Recall what fits a query."""
    with _answered(ctx.deps) as memory:
        bounds = [bound for bound in (limit, ctx.deps.config.search_limit) if bound is not None]
        found = await memory.recall(replace_surrogates(query), limit=min(bounds, default=None))
        return ctx.deps.show(found, "Nothing was found.")


async def save_memory(ctx: RunContext[Access], text: str) -> str:
    """Save a note."""
    if not text.strip():
        raise ToolFailed("nothing was saved: the text is empty")
    with _answered(ctx.deps) as memory:
        await memory.write(replace_surrogates(text))
        return "Saved."


async def forget_memory(ctx: RunContext[Access], text: str = "", ids: tuple[str, ...] = ()) -> str:
    """Forget what a text says, or the items with these ids."""
    shown = ctx.deps.shown
    unknown = [item_id for item_id in ids if item_id not in shown]
    if unknown:
        raise ToolFailed(f"nothing was forgotten: no memory with the id {unknown[0]!r} was shown")
    if not text.strip() and not ids:
        raise ToolFailed("nothing was forgotten: give a text, or the ids of memories")
    with _answered(ctx.deps) as memory:
        receipt = await memory.forget(replace_surrogates(text), event_ids=ids)
        if ids and not receipt.removed:
            # only the memories of other programs know events alone; elsewhere these would take further items along
            events = dict.fromkeys(event_id for item_id in ids for event_id in shown[item_id])
            receipt = await memory.forget(replace_surrogates(text), event_ids=tuple(events))
        for item_id in ids:
            shown.pop(item_id, None)
        return f"{len(receipt.removed)} removed. {receipt.note}".rstrip()


async def list_memory(ctx: RunContext[Access]) -> str:
    """Everything that is remembered."""
    with _answered(ctx.deps) as memory:
        return ctx.deps.show(await memory.items(), "Nothing is remembered.")


_TOOLS = {tool.__name__: tool for tool in (search_memory, save_memory, forget_memory, list_memory)}


def memory_toolset(config: ToolUseAgentConfig) -> AbstractToolset[Access]:
    """The tools that ``config`` describes, each offered where the memory is capable of it."""
    tools: list[Tool[Access]] = [
        # one after the other: the order of what is saved must not hang on chance
        Tool(_TOOLS[name], takes_ctx=True, name=name, description=description, sequential=True)
        for name, description in config.tools.items()
    ]
    return FunctionToolset(tools).filtered(_offered)


def _offered(ctx: RunContext[Access], tool: ToolDefinition) -> bool:
    if ctx.deps.memory is None:
        return False
    capabilities = ctx.deps.memory.capabilities
    needed = {"forget_memory": capabilities.forget, "list_memory": capabilities.dump}
    return needed.get(tool.name, True)


@contextmanager
def _answered(access: Access) -> Iterator[MemoryPort]:
    """Turns a refusal of the memory into an answer to the model, and keeps its failures from becoming one."""
    access.count_call()
    assert access.memory is not None  # noqa: S101 - else the tool would not have been offered
    try:
        yield access.memory
    except UnsupportedOperation as refusal:
        access.unsupported.append(str(refusal))
        raise ToolFailed(f"not supported: {refusal}") from refusal
    except ValidationError as error:
        raise MemoryFailed(f"the memory failed: {error}") from error
