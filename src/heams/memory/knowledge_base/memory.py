"""The memory behind ``knowledge_base``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from copy import copy
from datetime import datetime
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
    UnsupportedOperation,
)
from heams.memory.forgetting import describe_forgetting, keys_to_forget
from heams.memory.item_store import ItemStore
from heams.memory.items import remembered, without_score
from heams.memory.knowledge_base.config import KnowledgeBaseMemoryConfig
from heams.memory.knowledge_base.documents import documents_of
from heams.memory.knowledge_base.recalling import everything_in, found_in
from heams.memory.knowledge_base.snapshot import load_snapshot, save_snapshot
from heams.memory.knowledge_base.state import KnowledgeState
from heams.memory.knowledge_base.turns import Turns
from heams.memory.knowledge_base.workshop import Workshop


class KnowledgeBaseMemory(Memory):
    """Events are collected and brought into the knowledge base before anything else is done with the memory.

    They leave the queue only when the knowledge base holds them. So when a build fails or is cancelled, nothing is lost
    and the next call brings them in.
    """

    def __init__(self, config: KnowledgeBaseMemoryConfig, workshop: Workshop) -> None:
        self._config = config
        self._workshop = workshop
        self._state = KnowledgeState(workshop)
        self._events = ItemStore()
        self._pending: list[RecalledItem] = []
        self._turns = Turns()
        self._settling = asyncio.Lock()

    async def write(self, event: MemoryEvent) -> None:
        """Hear an event; one with a known id replaces the older one and counts as heard now."""
        self._pending.append(remembered(event))

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        """What the query mode finds, best first; everybody is answered from everything."""
        async with self._reading():
            return await found_in(self._state, self._config, query)

    async def dump(self) -> Sequence[MemoryItem]:
        """All chunks in order of hearing, then all facts of the graph."""
        async with self._reading():
            return [without_score(item) for item in await everything_in(self._state)]

    async def glance(self) -> Sequence[MemoryItem]:
        """Chunks and facts of what was brought in; events that wait go on waiting."""
        async with self._turns.shared():
            return await everything_in(self._state)

    def recall_would_change(self, now: datetime | None) -> bool:
        """Whether events wait to be brought in."""
        return bool(self._pending)

    async def settle(self) -> None:
        """Bring in the events that wait."""
        async with self._changing():
            pass

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        """Forget the events that the demand is about (see ``heams.memory.forgetting``), here and in no other fork.

        Everything that was made of them goes: chunks, vectors, words, facts, and results of steps.
        """
        async with self._changing():
            events = self._events.fork()
            keys = keys_to_forget(events, demand)
            if not keys:
                return ForgetReceipt(note=describe_forgetting([], demand))
            forgotten = [events[key] for key in keys]
            before = await everything_in(self._state)
            events.remove(keys)
            await self._hold(events)
            await self._make_anew()
            left = {item.id for item in await everything_in(self._state)}
            removed = [item.id for item in before if item.id not in left]
            return ForgetReceipt(removed=tuple(removed), note=describe_forgetting(forgotten, demand))

    async def fork(self) -> Self:
        """A memory with the same state, which is copied when one of the two writes.

        Raises:
            UnsupportedOperation: the state is on a server, where it cannot be copied.
        """
        self._require_own_stores("fork")
        async with self._changing():
            twin = copy(self)
            twin._events = self._events.fork()
            twin._pending = []
            twin._turns, twin._settling = Turns(), asyncio.Lock()
            self._state.users += 1
            return twin

    async def persist(self, directory: Path) -> None:
        """Write the state into ``directory``; the file without which it does not count comes last.

        Raises:
            UnsupportedOperation: the state is on a server.
        """
        self._require_own_stores("persist its state")
        async with self._reading():
            await save_snapshot(directory, self._state.objects, self._events, self._config)

    async def restore(self, directory: Path) -> None:
        """Replace the state by a persisted one; what was heard and not brought in is dropped with the present one.

        Raises:
            SnapshotError: there is no state, it is cut or altered, or another configuration wrote it. The present
                state stays.
        """
        self._require_own_stores("restore a state")
        async with self._turns.alone():
            snapshot = await load_snapshot(directory, self._config)
            documents = documents_of(snapshot.events.in_order(), self._config.document)
            await self._replace(await KnowledgeState.made_of(snapshot.objects, documents, self._workshop))
            self._events, self._pending = snapshot.events, []

    def tallies(self) -> Mapping[str, int]:
        """How many documents there are, and what went otherwise than asked when they were brought in."""
        base = self._state.knowledge_base
        issues = () if base is None else base.run_record.issues
        serious = sum(issue.severity != "info" for issue in issues)
        return {"documents": len(self._state.documents), "issues": serious}

    async def close(self) -> None:
        """Release the state; the last memory that shares it removes what it keeps."""
        await self._state.release()

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[None]:
        """A turn beside other readers, after all that was heard before has been brought in."""
        async with self._settling:  # of several that find something waiting, the first brings it in for all
            if self._pending:
                async with self._changing():
                    pass
        async with self._turns.shared():
            yield

    @asynccontextmanager
    async def _changing(self) -> AsyncIterator[None]:
        """A turn alone, with all that was heard before brought in."""
        async with self._turns.alone():
            await self._bring_in()
            yield

    async def _bring_in(self) -> None:
        waiting = len(self._pending)
        if waiting:
            events = self._events.fork()
            events.apply(events.hearing(self._pending[:waiting]))
            await self._hold(events)
            del self._pending[:waiting]

    def _require_own_stores(self, operation: str) -> None:
        if self._workshop.on_servers:
            raise UnsupportedOperation(f"a knowledge base with stores on a server cannot {operation}")

    async def _hold(self, events: ItemStore) -> None:
        """Hold these events and no others, in a state that no other fork shares."""
        documents = documents_of(events.in_order(), self._config.document, self._state.documents)
        if not documents:
            await self._replace(KnowledgeState(self._workshop))
        elif self._state.users > 1:
            await self._replace(await self._state.copied())
        await self._state.change(documents)
        self._events = events

    async def _make_anew(self) -> None:
        """Leave behind what indexes and databases still keep of what was deleted; servers have their own ways."""
        if self._state.documents and not self._workshop.on_servers:
            await self._replace(await self._state.copied())

    async def _replace(self, state: KnowledgeState) -> None:
        old, self._state = self._state, state
        await old.release()
