"""A memory that hears in batches: it collects events and has a model read them before anything else is done with it."""

import asyncio
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from copy import copy
from pathlib import Path
from typing import Self

from heams.memory.base import (
    ForgetDemand,
    ForgetReceipt,
    Memory,
    MemoryEvent,
    MemoryItem,
    RecalledItem,
    RecallQuery,
)
from heams.memory.listening.pending import BatchLimits, PendingEvents
from heams.memory.listening.times import latest
from heams.scenarios.clock import Instant


class ListeningMemory(Memory):
    """Whatever is asked of it, one thing happens at a time, and all that was heard has been read before.

    A batch leaves the queue only when what the model made of it is kept. So when reading fails or is cancelled,
    nothing is lost and the next call reads it. Subclasses implement the methods with an underscore: ``_read`` changes
    the state at its end and in one go; the others find everything read and nobody else at work.
    """

    def __init__(self, limits: BatchLimits) -> None:
        self._pending = PendingEvents(limits)
        self._now: Instant | None = None
        self._turn = asyncio.Lock()

    async def write(self, event: MemoryEvent) -> None:
        """Hear one event; the model reads it with others of its session."""
        async with self._turn:
            self._pending.add([event])
            await self._read_all(self._pending.whole_batch)

    async def write_all(self, events: Sequence[MemoryEvent]) -> None:
        """Hear many events; the model has read them all when this returns."""
        async with self._turn:
            self._pending.add(events)
            await self._read_all(self._pending.batch)

    async def advance(self, now: Instant) -> None:
        """The time that the model is told with events that have none."""
        self._now = now

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        """Items for a query, best first."""
        async with self._settled():
            return await self._recall(query)

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        """Forget what is asked, here and in no other fork."""
        async with self._settled():
            return await self._forget(demand)

    async def dump(self) -> Sequence[MemoryItem]:
        """Everything the memory holds, in a stable order."""
        async with self._settled():
            return await self._dump()

    async def glance(self) -> Sequence[MemoryItem]:
        """What was made of the events that are read; those that wait go on waiting."""
        async with self._turn:
            return await self._dump()

    def recall_would_change(self, now: Instant | None) -> bool:
        """Whether events wait to be read."""
        return len(self._pending) > 0

    async def settle(self) -> None:
        """Read the events that wait."""
        async with self._settled():
            pass

    async def fork(self) -> Self:
        """An independent memory with the same state."""
        async with self._settled():
            twin = copy(self)
            twin._turn = asyncio.Lock()
            twin._pending = self._pending.copy()
            await twin._part()
            return twin

    async def persist(self, directory: Path) -> None:
        """Write the state, after which everything heard has been read, into ``directory``."""
        async with self._settled():
            await self._persist(directory)

    async def restore(self, directory: Path) -> None:
        """Replace the state by a persisted one; what was heard and not read is dropped with the present one.

        Raises:
            SnapshotError: there is no state, it is cut or altered, or another configuration wrote it. The present
                state stays.
        """
        async with self._turn:
            await self._restore(directory)
            self._pending.clear()

    @asynccontextmanager
    async def _settled(self) -> AsyncIterator[None]:
        async with self._turn:
            await self._read_all(self._pending.batch)
            yield

    async def _read_all(self, next_batch: Callable[[], Sequence[MemoryEvent]]) -> None:
        while batch := next_batch():
            await self._read(batch, latest(event.at for event in batch) or self._now)
            self._pending.drop(len(batch))

    @abstractmethod
    async def _read(self, batch: Sequence[MemoryEvent], now: Instant | None) -> None:
        """Have the model read a batch at the simulated time ``now``, and keep what it makes of it."""

    @abstractmethod
    async def _recall(self, query: RecallQuery) -> Sequence[RecalledItem]: ...

    @abstractmethod
    async def _forget(self, demand: ForgetDemand) -> ForgetReceipt: ...

    @abstractmethod
    async def _dump(self) -> Sequence[MemoryItem]: ...

    @abstractmethod
    async def _part(self) -> None:
        """Called on a new fork, which shares all attributes with its original: part from it."""

    @abstractmethod
    async def _persist(self, directory: Path) -> None: ...

    @abstractmethod
    async def _restore(self, directory: Path) -> None: ...
