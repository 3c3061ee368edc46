"""From a plain iterator, which reads files and parses them, to an asynchronous one that leaves the event loop free."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar

import anyio.to_thread

T = TypeVar("T")

_MOST = 256
_HEAVIEST = 4 << 20


def weight_of(item: Any) -> int:
    """The bytes that a document holds in memory; 0 for anything else."""
    data = getattr(item, "data", None)
    return len(data) if isinstance(data, bytes) else 0


async def streamed(items: Iterator[T], *, weight: Callable[[T], int] = weight_of) -> AsyncIterator[T]:
    """The items, taken in another thread: 256 at a time, fewer where they are heavy."""
    while batch := await anyio.to_thread.run_sync(_next_batch, items, weight):
        for item in batch:
            yield item


def _next_batch(items: Iterator[T], weight: Callable[[T], int]) -> list[T]:
    batch: list[T] = []
    heavy = 0
    for item in items:
        batch.append(item)
        heavy += weight(item)
        if len(batch) == _MOST or heavy >= _HEAVIEST:
            break
    return batch
