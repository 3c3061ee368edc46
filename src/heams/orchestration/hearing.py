"""Replays a shared history once: into the memory, or through an agent that decides what to save."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from heams.agents.base import AgentSession
from heams.memory.base import Memory, MemoryCapabilities, MemoryEvent, UnsupportedOperation
from heams.orchestration.errors import RunRefused
from heams.scenarios.actions import (
    DEFAULT_PRINCIPAL,
    ClockAdvance,
    DocumentIngestion,
    HistoryEvent,
    PrincipalSwitch,
    SessionBoundary,
    SharedHistory,
    Turn,
)
from heams.scenarios.budget import RecallBudget
from heams.scenarios.clock import Instant
from heams.scenarios.hearing import document_event, turn_event
from heams.scenarios.port import RecordingPort
from heams.scenarios.usage import UsageByRole, note_usage


@dataclass(slots=True)
class Heard:
    """What hearing a history left behind: the time at its end, and what was not supported.

    ``counted`` is what the memory said by then that it had used.
    """

    now: Instant | None = None
    unsupported: list[str] = field(default_factory=list)
    counted: UsageByRole = field(default_factory=dict)


OnHeard = Callable[[int], None]
"""Hears how many events of a history are done with."""


async def hear_in_memory(history: SharedHistory, memory: Memory, on_heard: OnHeard = lambda events: None) -> Heard:
    """The memory hears the history directly, in bulk between two boundaries."""
    replay = _Replay(history)
    waiting: list[MemoryEvent] = []

    async def flush() -> None:
        if waiting:
            await memory.write_all(tuple(waiting))
            waiting.clear()
            on_heard(replay.passed)

    async def keep(event: MemoryEvent) -> None:
        waiting.append(event)

    async def advance(now: Instant) -> None:
        await flush()
        await memory.advance(now)

    async def begin(session_id: str) -> None:
        await flush()

    heard = await replay.run(keep, advance, begin)
    await flush()
    heard.counted = note_usage(await memory.usage())
    return heard


async def hear_through_agent(
    history: SharedHistory,
    session: AgentSession,
    memory: Memory,
    capabilities: MemoryCapabilities,
    budget: RecallBudget,
    *,
    owns_memory: bool,
    on_heard: OnHeard = lambda events: None,
) -> Heard:
    """The agent hears the history; what it saves goes into the memory with the event as its source."""
    # a scenario may have the history's id, and the notes of both are kept in one memory
    port = RecordingPort(memory, capabilities, budget, scope=f"{history.id}/heard")
    replay = _Replay(history)
    listened = False

    async def tell(event: MemoryEvent) -> None:
        port.begin_step(event.provenance)
        port.now, port.principal = event.at, event.principal
        note_usage(await session.hear(event, port))
        on_heard(replay.passed + 1)
        nonlocal listened
        listened = True

    async def advance(now: Instant) -> None:
        port.now = now
        await session.advance(now)
        if not owns_memory:
            await memory.advance(now)

    heard = await replay.run(tell, advance, session.begin_session)
    if heard.unsupported and not listened:
        raise RunRefused(f"nothing of history {history.id!r} was heard: {'; '.join(heard.unsupported)}")
    heard.counted = note_usage(await memory.usage())
    return heard


class _Replay:
    """Walks over a history and keeps its clock and its current speaker. ``passed`` counts events."""

    def __init__(self, history: SharedHistory) -> None:
        self.passed = 0
        self._events = history.events
        self._principal = DEFAULT_PRINCIPAL
        self._heard = Heard()

    async def run(
        self,
        tell: Callable[[MemoryEvent], Awaitable[None]],
        advance: Callable[[Instant], Awaitable[None]],
        begin: Callable[[str], Awaitable[None]],
    ) -> Heard:
        for event in self._events:
            try:
                await self._play(event, tell, advance, begin)
            except UnsupportedOperation as refusal:
                self._note(f"{event.type}: {refusal}")
            self.passed += 1
        return self._heard

    async def _play(
        self,
        event: HistoryEvent,
        tell: Callable[[MemoryEvent], Awaitable[None]],
        advance: Callable[[Instant], Awaitable[None]],
        begin: Callable[[str], Awaitable[None]],
    ) -> None:
        match event:
            case Turn():
                self._heard.now = event.at or self._heard.now
                await tell(turn_event(event, self._heard.now))
            case DocumentIngestion():
                self._heard.now = event.at or self._heard.now
                named = "principal" in event.model_fields_set
                await tell(document_event(event, event.principal if named else self._principal, self._heard.now))
            case PrincipalSwitch():
                self._principal = event.principal
            case ClockAdvance():
                self._heard.now = event.to
                await advance(event.to)
            case SessionBoundary():
                if event.at is not None:
                    self._heard.now = event.at
                    await advance(event.at)
                await begin(event.session_id)

    def _note(self, message: str) -> None:
        if message not in self._heard.unsupported:
            self._heard.unsupported.append(message)
