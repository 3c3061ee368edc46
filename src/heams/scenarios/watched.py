"""A memory, or an agent that owns its memory, under a ``MemoryWatch``: what may change it is announced."""

from collections.abc import Collection, Sequence

from heams.agents.base import AgentReply, AgentSession, FeedbackMessage, MemoryPort, Stimulus
from heams.memory.base import (
    ForgetDemand,
    ForgetReceipt,
    Memory,
    MemoryEvent,
    MemoryItem,
    RecalledItem,
    RecallQuery,
)
from heams.scenarios.clock import Instant
from heams.scenarios.memory_watch import MemoryWatch
from heams.scenarios.usage import UsageByRole


class WatchedMemory(Memory):
    """``memory`` as a scenario uses it. ``minds_clock``: it declares that it acts on the time."""

    def __init__(self, memory: Memory, watch: MemoryWatch, *, minds_clock: bool) -> None:
        self._memory = memory
        self._watch = watch
        self._minds_clock = minds_clock

    async def write(self, event: MemoryEvent) -> None:
        async with self._watch.changing():
            await self._memory.write(event)

    async def write_all(self, events: Sequence[MemoryEvent]) -> None:
        async with self._watch.changing():
            await self._memory.write_all(events)

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        if not self._memory.recall_would_change(query.at):
            return await self._memory.recall(query)
        async with self._watch.changing():
            return await self._memory.recall(query)

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        async with self._watch.changing():
            if self._memory.recall_would_change(demand.at):
                await self._memory.settle()
                await self._watch.look_between()
            return await self._memory.forget(demand)

    async def dump(self) -> Sequence[MemoryItem]:
        if self._memory.recall_would_change(None):
            async with self._watch.changing():
                items = await self._memory.dump()
        else:
            items = await self._memory.dump()
        self._watch.saw(items)
        return items

    async def advance(self, now: Instant) -> None:
        if not self._minds_clock:
            await self._memory.advance(now)
            return
        async with self._watch.changing():
            await self._memory.advance(now)

    async def reveal_gold(self, event_ids: Collection[str]) -> None:
        await self._memory.reveal_gold(event_ids)


class WatchedSession(AgentSession):
    """The session of an agent that owns its memory, as a scenario uses it: whatever it hears may change that memory."""

    def __init__(self, session: AgentSession, watch: MemoryWatch) -> None:
        self._session = session
        self._watch = watch

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        async with self._watch.changing():
            return await self._session.respond(stimulus, memory)

    async def hear(self, event: MemoryEvent, memory: MemoryPort) -> UsageByRole:
        async with self._watch.changing():
            return await self._session.hear(event, memory)

    async def begin_session(self, session_id: str) -> None:
        await self._session.begin_session(session_id)

    async def advance(self, now: Instant) -> None:
        async with self._watch.changing():
            await self._session.advance(now)

    async def feedback(self, message: FeedbackMessage, memory: MemoryPort) -> None:
        async with self._watch.changing():
            await self._session.feedback(message, memory)

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        async with self._watch.changing():
            return await self._session.forget(demand)

    async def dump(self) -> Sequence[MemoryItem]:
        items = await self._session.dump()
        self._watch.saw(items)
        return items


class OwnedMemory:
    """The memory that an agent owns, to be looked into."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session

    async def glance(self) -> Sequence[MemoryItem]:
        """What the agent shows."""
        return await self._session.dump()

    def size(self) -> None:
        """Not known."""
