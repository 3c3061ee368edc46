"""What a benchmark's ``documents``, ``cases`` and ``run_units`` give, whichever way they are written."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Iterable
from typing import TypeVar

_Item = TypeVar("_Item")

Given = AsyncIterable[_Item] | Iterable[_Item]
"""What may be written: an asynchronous generator, or anything that can be gone through."""


async def yielded(given: Given[_Item] | Awaitable[Given[_Item]], kind: type[_Item]) -> AsyncIterator[_Item]:
    """The items of an asynchronous generator, of a plain one or a list, or of what a coroutine returns.

    ``async def documents(...) -> AsyncIterator[...]`` in a protocol can be read as either.

    Raises:
        TypeError: it gives something else, or items of another kind.
    """
    items = await given if isinstance(given, Awaitable) else given
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield _checked(item, kind)
    elif isinstance(items, Iterable) and not isinstance(items, str | bytes):
        for item in items:
            yield _checked(item, kind)
    else:
        raise TypeError(f"a benchmark gave {type(items).__name__} for its {kind.__name__}s; {_expected(kind)}")


def _checked(item: object, kind: type[_Item]) -> _Item:
    if not isinstance(item, kind):
        raise TypeError(f"a benchmark yielded {type(item).__name__} among its {kind.__name__}s; {_expected(kind)}")
    return item


def _expected(kind: type) -> str:
    return f"expected an asynchronous generator of {kind.__name__}"
