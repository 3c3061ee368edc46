"""Turns at something scarce, handed over in the order of asking, to waiters in any event loop of any thread."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator
from concurrent.futures import Future
from contextlib import asynccontextmanager

from anyio.lowlevel import checkpoint_if_cancelled


class Turns:
    """At most `places` holders at a time.

    Unlike the locks of asyncio and anyio it belongs to no event loop, since a store may be used from several, and a
    waiter keeps no worker thread busy, which the holder may need in order to finish.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._mutex = threading.Lock()
        self._waiting: deque[Future[None]] = deque()

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """A block that holds a place."""
        await self._acquire()
        try:
            yield
        finally:
            self._release()

    async def _acquire(self) -> None:
        await checkpoint_if_cancelled()
        with self._mutex:
            if self._free:
                self._free -= 1
                return
            ticket: Future[None] = Future()
            self._waiting.append(ticket)
        try:
            await asyncio.wrap_future(ticket)
        except asyncio.CancelledError:
            if not ticket.cancel():  # the place was handed over in the moment of the cancellation
                self._release()
            raise

    def _release(self) -> None:
        with self._mutex:
            while self._waiting:
                ticket = self._waiting.popleft()
                if ticket.set_running_or_notify_cancel():
                    ticket.set_result(None)
                    return
            self._free += 1
