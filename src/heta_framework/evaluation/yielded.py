"""What a benchmark's ``documents``, ``cases`` and ``run_units`` give, whichever way they are written."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from typing import TypeVar

_Item = TypeVar("_Item")


async def yielded(given: AsyncIterator[_Item] | Awaitable[AsyncIterator[_Item]]) -> AsyncIterator[_Item]:
    """The items of an asynchronous generator, or of the asynchronous iterator that a coroutine returns.

    ``async def documents(...) -> AsyncIterator[...]`` in a protocol can be read as either.
    """
    async for item in await given if isinstance(given, Awaitable) else given:
        yield item
