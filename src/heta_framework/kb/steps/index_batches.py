"""Records on their way into an index, in calls of a good size."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

_T = TypeVar("_T")
_MANY = 2_000


def records_at_once(store: object, batch_size: int) -> int:
    """Records of one call: what is configured; some thousand of a store that says of itself that it is `in_process`."""
    return max(batch_size, _MANY) if getattr(store, "in_process", False) else batch_size


class Batches(Generic[_T]):
    """Gathers records and hands them on when a call is full."""

    def __init__(self, size: int, write: Callable[[Sequence[_T]], Awaitable[None]]) -> None:
        self._size = size
        self._write = write
        self._waiting: list[_T] = []
        self.count = 0

    async def add(self, records: Sequence[_T]) -> None:
        """Take records; may write."""
        self._waiting += records
        self.count += len(records)
        while len(self._waiting) >= self._size:
            await self._write(self._waiting[: self._size])
            self._waiting = self._waiting[self._size :]

    async def close(self) -> int:
        """Write what is left; how many records came in all."""
        if self._waiting:
            await self._write(self._waiting)
        self._waiting = []
        return self.count
