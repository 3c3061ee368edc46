"""Gives every scenario a state of its own: a fork of the state after its shared history, or a fresh one.

Hearing is single-flight: scenarios that need a history at the same moment wait for one ingestion.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from heams.agents.base import AgentSession
from heams.memory.base import Memory
from heams.orchestration.errors import IngestionFailed, RunRefused
from heams.orchestration.isolation import ReadOnlyMemory
from heams.orchestration.opening import HistoryOpener, Opened
from heams.orchestration.results import Isolation
from heams.orchestration.saved_histories import save_history
from heams.orchestration.turnstile import Turnstile
from heams.scenarios.actions import SharedHistory
from heams.scenarios.clock import Instant
from heams.scenarios.scenario import Scenario
from heams.scenarios.usage import UsageByRole
from heta_framework.common.models.errors import CostLimitReached

MAX_IDLE = 2
"""Histories kept open although no scenario uses them at the moment."""
MAX_REOPENED = 3
"""How often in a row a history is heard again because its state could no longer be probed."""


OpenSession = Callable[[], Awaitable[AgentSession]]


@dataclass(slots=True)
class Lease:
    """What one scenario plays on: its memory, its agent session, and the time at which it begins.

    ``counted`` is what the memory itself has said that it used, and what belongs to the history.
    """

    memory: Memory
    session: AgentSession
    now: Instant | None
    isolation: Isolation
    counted: UsageByRole = field(default_factory=dict)


@dataclass(slots=True)
class _Entry:
    opening: "asyncio.Task[Opened]"
    users: int = 0

    def failed(self) -> bool:
        return self.opening.cancelled() or self.opening.exception() is not None


class HistoryPool:
    """Shares the states behind histories and closes those that are no longer used."""

    def __init__(self, opener: HistoryOpener, directory: Path, *, timeout_s: float) -> None:
        self._opener = opener
        self._directory = directory
        self._timeout_s = timeout_s
        self._entries: dict[str, _Entry] = {}
        self._retired: list[_Entry] = []
        self._reopened: Counter[str] = Counter()
        self._rebuilt: set[str] = set()
        self._turnstile = Turnstile()

    @property
    def run_id(self) -> str:
        """The run whose states these are."""
        return self._opener.run_id

    @asynccontextmanager
    async def lease(self, scenario: Scenario, repeat: int = 0) -> AsyncIterator[Lease]:
        """A state for one scenario; whatever the scenario changes in it is gone afterwards.

        Raises:
            IngestionFailed: the scenario's history could not be heard.
            CostLimitReached: it could not be heard whole, because nothing may be spent any more.
            RunRefused: the history cannot be isolated as the settings ask.
        """
        entry = None
        history = scenario.history
        if history is None:
            lease = await self._fresh(scenario.id, repeat)
        elif (isolation := self._opener.isolation(history)) == "rebuild":
            lease = await self._rebuild(scenario.id, repeat, history)
        else:
            entry = self._use(history, isolation)
            lease = await self._probe(scenario.id, repeat, history, entry)
        try:
            yield lease
        finally:
            if entry is not None:
                await self._release(entry)
            async with asyncio.timeout(self._timeout_s):
                await lease.session.close()
                await lease.memory.close()

    async def close(self) -> None:
        """Close all states."""
        for entry in [*self._entries.values(), *self._retired]:
            await self._close(entry)
        self._entries.clear()
        self._retired.clear()

    async def _fresh(self, scenario_id: str, repeat: int) -> Lease:
        async with asyncio.timeout(self._timeout_s):
            memory = await self._opener.open_memory(scenario_id)
            return Lease(memory, await self._opener.open_session(scenario_id, repeat), None, "own")

    async def _probe(self, scenario_id: str, repeat: int, history: SharedHistory, entry: _Entry) -> Lease:
        try:
            opened = await asyncio.shield(entry.opening)
            await self._turnstile.passed()
            session = partial(self._opener.open_session, scenario_id, repeat)
            return await self._share(session, history.id, entry, opened)
        except BaseException:
            await self._release(entry)
            raise

    def _use(self, history: SharedHistory, isolation: Isolation) -> _Entry:
        entry = self._entries.pop(history.id, None)
        if entry is None:
            save_history(history, self._directory, self._opener.run_id)
            entry = _Entry(asyncio.create_task(self._opener.open(history, isolation), name=f"hear {history.id}"))
        self._entries[history.id] = entry
        entry.users += 1
        return entry

    async def _rebuild(self, scenario_id: str, repeat: int, history: SharedHistory) -> Lease:
        if history.id not in self._rebuilt:
            self._rebuilt.add(history.id)
            save_history(history, self._directory, self._opener.run_id)
        opened = await self._opener.rebuild(history)
        try:
            session = opened.session or await self._opener.open_session(scenario_id, repeat)
        except BaseException:
            await opened.close()
            raise
        return Lease(opened.memory, session, opened.now, "rebuild", opened.counted)

    async def _share(self, open_session: OpenSession, history_id: str, entry: _Entry, opened: Opened) -> Lease:
        try:
            async with asyncio.timeout(self._timeout_s):
                lease = await self._probe_state(open_session, opened)
        except Exception:
            self._give_up(history_id, entry)
            raise
        self._reopened.pop(history_id, None)
        return lease

    def _give_up(self, history_id: str, entry: _Entry) -> None:
        """A state that cannot be probed (its program died ...) is opened again for the next scenario, a few times."""
        if self._entries.get(history_id) is entry and self._reopened[history_id] < MAX_REOPENED:
            self._reopened[history_id] += 1
            self._retired.append(self._entries.pop(history_id))

    async def _probe_state(self, open_session: OpenSession, opened: Opened) -> Lease:
        session = await (opened.session.fork() if opened.session else open_session())
        if opened.isolation == "fork" and opened.session is None:
            try:
                return Lease(await opened.memory.fork(), session, opened.now, "fork")
            except BaseException:
                await session.close()
                raise
        return Lease(ReadOnlyMemory(opened.memory), session, opened.now, opened.isolation)

    async def _release(self, entry: _Entry) -> None:
        entry.users -= 1
        idle = [key for key, other in self._entries.items() if other.users == 0 and other.opening.done()]
        surplus = [key for key in idle[:-MAX_IDLE] if not self._entries[key].failed()]
        unused = [other for other in self._retired if other.users == 0]
        self._retired = [other for other in self._retired if other.users]
        for closing in [*(self._entries.pop(key) for key in surplus), *unused]:
            await self._close(closing)

    async def _close(self, entry: _Entry) -> None:
        entry.opening.cancel()
        with suppress(asyncio.CancelledError, IngestionFailed, RunRefused, CostLimitReached):
            opened = await entry.opening
            with suppress(Exception):  # a state that is thrown away owes nothing
                async with asyncio.timeout(self._timeout_s):
                    await opened.close()
