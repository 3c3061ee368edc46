"""Who may use a memory at the same time: any number of readers, or one that changes it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Turns of two kinds; whoever waits for one that is taken is woken when it is free."""

    def __init__(self) -> None:
        self._changed = asyncio.Condition()
        self._readers = 0
        self._alone = False

    @asynccontextmanager
    async def shared(self) -> AsyncIterator[None]:
        """A turn beside other readers."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self._alone)
            self._readers += 1
        try:
            yield
        finally:
            self._readers -= 1
            await self._wake()

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """A turn that nobody shares."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self._alone and not self._readers)
            self._alone = True
        try:
            yield
        finally:
            self._alone = False
            await self._wake()

    async def _wake(self) -> None:
        async with self._changed:
            self._changed.notify_all()
