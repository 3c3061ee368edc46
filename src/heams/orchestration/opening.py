"""Brings a memory (and an agent that owns its memory) to the state after a history: heard, or restored."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Literal

from heams.agents.base import Agent, AgentScope, AgentSession
from heams.memory.base import Memory, MemoryScope, MemorySystem
from heams.orchestration.cancellation import cancellation_was_asked_for
from heams.orchestration.cost_guard import CostGuard
from heams.orchestration.errors import IngestionFailed, describe_error
from heams.orchestration.hearing import Heard, OnHeard, hear_in_memory, hear_through_agent
from heams.orchestration.hearing_progress import HearingProgress
from heams.orchestration.isolation import choose_isolation
from heams.orchestration.redaction import Redactor
from heams.orchestration.results import ErrorInfo, IngestRecord, Isolation
from heams.orchestration.run_ends import run_ending
from heams.orchestration.run_file import ExperimentSettings
from heams.orchestration.seeds import seed_for
from heams.orchestration.snapshots import SnapshotShelf
from heams.scenarios.actions import SharedHistory
from heams.scenarios.clock import Instant
from heams.scenarios.usage import UsageByRole
from heta_framework.common.models.calls.scope import CallScope, active_scope, call_scope


@dataclass(slots=True)
class Opened:
    """The state after a history. ``session`` is set only for an agent that owns its memory.

    ``counted`` is what the memory said that it had used for hearing, which the record of the history holds.
    """

    memory: Memory
    session: AgentSession | None
    now: Instant | None
    isolation: Isolation
    counted: UsageByRole = field(default_factory=dict)

    async def close(self) -> None:
        """Release memory and session."""
        if self.session is not None:
            await self.session.close()
        await self.memory.close()


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One finished attempt at a history, for its record."""

    opened: Opened | None
    heard: Heard | None = None
    snapshot_id: str | None = None
    error: ErrorInfo | None = None


class HistoryOpener:
    """Opens scopes of one experiment.

    ``on_hearing`` is told when a history begins to be heard; ``on_record`` receives an ``IngestRecord`` per attempt.
    """

    def __init__(
        self,
        agent: Agent,
        system: MemorySystem,
        settings: ExperimentSettings,
        *,
        shelf: SnapshotShelf,
        scratch: Path,
        on_hearing: Callable[[HearingProgress], None],
        on_record: Callable[[IngestRecord], None],
        redactor: Redactor,
        guard: CostGuard,
    ) -> None:
        self._agent = agent
        self._system = system
        self._settings = settings
        self._shelf = shelf
        self._scratch = scratch
        self._on_hearing = on_hearing
        self._on_record = on_record
        self._redactor = redactor
        self._guard = guard
        self._scope_numbers = count(1)

    async def open_memory(self, scope_id: str) -> Memory:
        """A new, empty memory with a private folder."""
        return await self._system.open(
            MemoryScope(id=scope_id, directory=self._scratch / str(next(self._scope_numbers)))
        )

    async def open_session(self, scope_id: str, repeat: int = 0) -> AgentSession:
        """A new agent session, seeded by what is played; repeats of a scenario draw differently."""
        seed = seed_for(self._settings.seed, scope_id, repeat)
        return await self._agent.open(AgentScope(id=scope_id, seed=seed))

    @property
    def run_id(self) -> str:
        """The run whose scopes are opened."""
        return self._shelf.run_id

    def isolation(self, history: SharedHistory) -> Isolation:
        """How the scenarios of ``history`` are kept apart.

        Raises:
            RunRefused: the history cannot be isolated as the settings ask.
        """
        owner = self._agent.capabilities if self._mode == "agent_owned" else self._system.capabilities
        return choose_isolation(
            self._settings,
            can_fork=owner.fork,
            can_share=self._mode != "agent_owned" and not self._system.capabilities.needs_gold,
            events=len(history.events),
        )

    async def open(self, history: SharedHistory, isolation: Isolation) -> Opened:
        """The state after ``history``, to be shared by scenarios; retried as the settings allow.

        Raises:
            IngestionFailed: no attempt succeeded.
            RunRefused: a model of agent or memory cannot be called as it is configured.
            CostLimitReached: a model call was refused, so there is no whole state.
        """
        error = None
        for number in range(1, self._settings.retries + 2):
            attempt = await self._recorded(history, isolation, number, self._restored_or_heard)
            if attempt.opened is not None:
                return attempt.opened
            error = attempt.error
        raise _failed(history, error)

    async def rebuild(self, history: SharedHistory) -> Opened:
        """A state after ``history`` for one scenario alone, heard from its beginning.

        Raises:
            IngestionFailed, RunRefused, CostLimitReached: as for ``open``.
        """
        attempt = await self._recorded(history, "rebuild", 1, self._heard)
        if attempt.opened is None:
            raise _failed(history, attempt.error)
        return attempt.opened

    @property
    def _mode(self) -> Literal["direct", "through_agent", "agent_owned"]:
        return "agent_owned" if self._agent.capabilities.owns_memory else self._settings.ingestion

    async def _tell(self, history: SharedHistory, memory: Memory, session: AgentSession | None) -> Heard:
        hearing = HearingProgress(history.id, len(history.events))
        self._on_hearing(hearing)

        def note(events: int) -> None:
            hearing.heard = events

        try:
            return await self._hear(history, memory, session, note)
        finally:
            hearing.ended = True

    async def _hear(
        self, history: SharedHistory, memory: Memory, session: AgentSession | None, on_heard: OnHeard
    ) -> Heard:
        if session is None:
            return await hear_in_memory(history, memory, on_heard)
        return await hear_through_agent(
            history,
            session,
            memory,
            self._system.capabilities,
            self._settings.recall_budget,
            owns_memory=self._mode == "agent_owned",
            on_heard=on_heard,
        )

    async def _recorded(
        self,
        history: SharedHistory,
        isolation: Isolation,
        number: int,
        come: Callable[[SharedHistory, Isolation], Awaitable[_Attempt]],
    ) -> _Attempt:
        """One attempt with its record. Its model calls are its own, whichever scenario it was begun for."""
        began, started = perf_counter(), datetime.now(UTC)
        with call_scope(CallScope()) as scope:
            attempt = await self._described_attempt(come(history, isolation))
        seconds = perf_counter() - began
        self._on_record(self._record(history, isolation, attempt, number, started, seconds, scope.usage))
        return attempt

    async def _described_attempt(self, coming: Awaitable[_Attempt]) -> _Attempt:
        try:
            return await coming
        except (Exception, asyncio.CancelledError) as cause:  # agent or memory may fail in any way; it costs an attempt
            if (ending := run_ending(cause)) is not None:
                raise ending from cause
            if cancellation_was_asked_for():
                raise
            return _Attempt(None, error=self._described("ingest", cause))

    async def _restored_or_heard(self, history: SharedHistory, isolation: Isolation) -> _Attempt:
        async with asyncio.timeout(self._settings.ingestion_timeout_s):
            restored = await self._restored(history, isolation)
        if restored is not None:
            return _Attempt(restored)
        attempt = await self._heard(history, isolation)
        if attempt.opened is None or attempt.heard is None:
            return attempt
        return replace(attempt, snapshot_id=await self._kept(history, attempt.opened, attempt.heard))

    async def _heard(self, history: SharedHistory, isolation: Isolation) -> _Attempt:
        memory = await self.open_memory(history.id)
        session = await self.open_session(history.id) if self._mode != "direct" else None
        try:
            async with asyncio.timeout(self._settings.ingestion_timeout_s):
                heard = await self._tell(history, memory, session)
            self._check_whole()
        except BaseException:
            await Opened(memory, session, None, isolation).close()
            raise
        if session is not None and self._mode == "through_agent":
            await session.close()
            session = None
        return _Attempt(Opened(memory, session, heard.now, isolation, heard.counted), heard)

    def _check_whole(self) -> None:
        scope = active_scope()
        if scope is not None:
            self._guard.check(scope)

    async def _restored(self, history: SharedHistory, isolation: Isolation) -> Opened | None:
        """The state from a snapshot; None where there is none that can be used, and the history must be heard."""
        if not self._keeps_snapshots or not self._shelf.has(history):
            return None
        memory = await self.open_memory(history.id)
        try:
            return Opened(memory, None, await self._shelf.load(history, memory), isolation)
        except Exception:  # noqa: BLE001 - a snapshot only saves time: without it the history is heard again
            self._shelf.discard(history)
            await memory.close()
            return None

    async def _kept(self, history: SharedHistory, opened: Opened, heard: Heard) -> str | None:
        if not self._keeps_snapshots:
            return None
        try:
            async with asyncio.timeout(self._settings.ingestion_timeout_s):
                return await self._shelf.keep(history, opened.memory, opened.now)
        except Exception as cause:  # noqa: BLE001 - a snapshot only saves time; without it the run goes on
            error = self._described("persist", cause)
            heard.unsupported.append(f"snapshot not kept: {error.type}: {error.message}")
            return None

    def _described(self, phase: str, cause: BaseException) -> ErrorInfo:
        return self._redactor.error(describe_error(phase, cause, self._settings.ingestion_timeout_s))

    @property
    def _keeps_snapshots(self) -> bool:
        return self._system.capabilities.persist and self._mode != "agent_owned"

    def _record(
        self,
        history: SharedHistory,
        isolation: Isolation,
        attempt: _Attempt,
        number: int,
        started: datetime,
        seconds: float,
        usage: UsageByRole,
    ) -> IngestRecord:
        heard = attempt.heard or Heard()
        return IngestRecord(
            run_id=self._shelf.run_id,
            history_id=history.id,
            attempt=number,
            status="error" if attempt.opened is None else "completed",
            ingestion=self._mode,
            isolation=isolation,
            events=len(history.events),
            restored=attempt.opened is not None and attempt.heard is None,
            snapshot_id=attempt.snapshot_id,
            usage=usage,
            seconds=seconds,
            unsupported=tuple(heard.unsupported),
            tallies=dict(attempt.opened.memory.tallies()) if attempt.opened is not None else {},
            error=attempt.error,
            started_at=started,
            finished_at=datetime.now(UTC),
        )


def _failed(history: SharedHistory, error: ErrorInfo | None) -> IngestionFailed:
    why = f"{error.type}: {error.message}" if error is not None else "no reason is known"
    return IngestionFailed(f"history {history.id!r} could not be heard: {why}")
