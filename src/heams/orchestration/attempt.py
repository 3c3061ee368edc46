"""One attempt at one scenario: play it on a leased state, have it judged, and describe it as a ``RunResult``."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from heams.agents.base import Agent
from heams.evaluation.base import BaseEvaluator
from heams.evaluation.records import EvaluationRecord
from heams.memory.base import MemorySystem
from heams.orchestration.cancellation import cancellation_was_asked_for
from heams.orchestration.cost_guard import CostGuard
from heams.orchestration.errors import describe_error
from heams.orchestration.histories import HistoryPool, Lease
from heams.orchestration.judging import EvaluatorPool, Verdicts, failed_records, judge
from heams.orchestration.plan import Planned
from heams.orchestration.projection import timings_of, transcript_of
from heams.orchestration.redaction import Redactor
from heams.orchestration.results import ErrorInfo, Isolation, RunResult
from heams.orchestration.run_ends import run_ending
from heams.orchestration.run_file import ExperimentSettings
from heams.orchestration.watching import watched
from heams.scenarios.outcome import ScenarioOutcome
from heams.scenarios.port import RecordingPort
from heams.scenarios.runner import ScenarioPlayer
from heams.scenarios.scenario import Scenario
from heams.scenarios.usage import UsageByRole, add_usage, note_usage
from heta_framework.common.durable_lines import TextBook
from heta_framework.common.models.calls.scope import CallScope, call_scope

JUDGING = "evaluate"
"""The phase in which evaluators are asked."""


@dataclass(slots=True)
class _Course:
    """How far an attempt came. Model calls within steps belong to a scope each, all others to ``scope``."""

    outcome: ScenarioOutcome
    scope: CallScope
    step_scopes: Sequence[CallScope] = ()
    phase: str = "open"
    isolation: Isolation = "own"
    opened: float = 0.0
    evaluated: float = 0.0

    @property
    def scopes(self) -> tuple[CallScope, ...]:
        return (self.scope, *self.step_scopes)

    @property
    def usage(self) -> UsageByRole:
        return add_usage(scope.usage for scope in self.scopes)


class ScenarioAttempts:
    """Plays attempts for one experiment."""

    def __init__(
        self,
        name: str,
        agent: Agent,
        system: MemorySystem,
        settings: ExperimentSettings,
        *,
        pool: HistoryPool,
        texts: TextBook,
        redactor: Redactor,
        guard: CostGuard,
    ) -> None:
        self._name = name
        self._agent = agent
        self._system = system
        self._settings = settings
        self._pool = pool
        self._texts = texts
        self._redactor = redactor
        self._guard = guard
        self._evaluators = EvaluatorPool()

    async def play(self, planned: Planned, attempt: int) -> RunResult:
        """One attempt; whatever goes wrong in agent, memory or evaluator becomes part of the result.

        Repeats of a scenario are asked anew, so the epoch of their model calls is the number of the repeat.

        Raises:
            RunRefused, StoreError: the run as a whole cannot go on.
            CostLimitReached: a model call was refused, so nothing is to be saved of the attempt.
        """
        scenario = planned.sample.to_scenario()
        evaluators = self._evaluators.for_scenario(scenario)
        started, began = datetime.now(UTC), perf_counter()
        with call_scope(CallScope(str(planned.repeat))) as scope:
            course = _Course(self._outcome(scenario), scope)
            records, error = await self._outcome_of(course, planned, evaluators)
        self._guard.check(*course.scopes)
        total = perf_counter() - began
        identity = {"sample_id": scenario.id, "repeat": planned.repeat, "attempt": attempt, "started_at": started}
        try:
            return self._result(course, records, error, total, identity)
        except ValueError as cause:  # a component handed over something that no artifact can hold
            error = error or self._described("save", cause)
            bare = _Course(ScenarioOutcome(scenario), course.scope, course.step_scopes, isolation=course.isolation)
            return self._result(bare, failed_records(scenario, evaluators, error), error, total, identity)

    async def _outcome_of(
        self, course: _Course, planned: Planned, evaluators: Sequence[BaseEvaluator]
    ) -> tuple[Sequence[EvaluationRecord], ErrorInfo | None]:
        try:
            verdicts = await self._course_of(course, planned, evaluators)
        except (Exception, asyncio.CancelledError) as cause:  # agent, memory or evaluator may fail in any way
            if (ending := run_ending(cause)) is not None:
                raise ending from cause
            if cancellation_was_asked_for():
                raise
            error = self._described(course.phase, cause)
            return failed_records(course.outcome.scenario, evaluators, error), error
        failure = verdicts.failure
        return verdicts.records, self._described(JUDGING, failure) if failure is not None else None

    def _outcome(self, scenario: Scenario) -> ScenarioOutcome:
        capabilities = self._system.capabilities
        return ScenarioOutcome(scenario, memory_ranked=capabilities.ranked, memory_provenance=capabilities.provenance)

    def _described(self, phase: str, cause: BaseException) -> ErrorInfo:
        settings = self._settings
        limit = settings.judging_timeout_s if phase == JUDGING else settings.scenario_timeout_s
        return self._redactor.error(describe_error(phase, cause, limit))

    def _result(
        self,
        course: _Course,
        records: Sequence[EvaluationRecord],
        error: ErrorInfo | None,
        total: float,
        identity: Mapping[str, Any],
    ) -> RunResult:
        steps, scenario = course.outcome.steps, course.outcome.scenario
        return RunResult(
            **identity,
            run_id=self._pool.run_id,
            status="completed" if error is None else "error",
            experiment=self._name,
            sample_name=scenario.name,
            history_id=scenario.history.id if scenario.history else None,
            isolation=course.isolation,
            tags=scenario.tags,
            transcript=transcript_of(course.outcome, self._texts),
            records=tuple(records),
            usage=course.usage,
            timings=timings_of(steps, opened=course.opened, evaluated=course.evaluated, total=total),
            error=error,
            finished_at=datetime.now(UTC),
        )

    async def _course_of(self, course: _Course, planned: Planned, evaluators: Sequence[BaseEvaluator]) -> Verdicts:
        """Play and judge. The state is given back before judging, which has a time limit of its own."""
        began = perf_counter()
        async with self._pool.lease(course.outcome.scenario, planned.repeat) as lease:
            course.opened, course.isolation = perf_counter() - began, lease.isolation
            async with asyncio.timeout(self._settings.scenario_timeout_s):
                await self._play_steps(course, lease, evaluators)
                note_usage(await lease.memory.usage(), counted=lease.counted)
        course.phase, began = JUDGING, perf_counter()
        async with asyncio.timeout(self._settings.judging_timeout_s):
            verdicts = await judge(course.outcome, evaluators)
        course.evaluated = perf_counter() - began
        return verdicts

    async def _play_steps(self, course: _Course, lease: Lease, evaluators: Sequence[BaseEvaluator]) -> None:
        owns_memory = self._agent.capabilities.owns_memory
        scope = course.outcome.scenario.id
        played = watched(lease, self._settings.memory_changes, self._system, agent_owns_memory=owns_memory)
        port = RecordingPort(played.memory, self._system.capabilities, self._settings.recall_budget, scope=scope)
        listens = owns_memory or self._settings.ingestion == "through_agent"
        player = ScenarioPlayer(
            course.outcome,
            session=played.session,
            memory=played.memory,
            port=port,
            listener="agent" if listens else "memory",
            agent_owns_memory=owns_memory,
            evaluators=evaluators,
            watch=played.watch,
        )
        course.step_scopes = player.scopes
        try:
            await player.play(lease.now)
        except BaseException:
            course.phase = f"step {len(course.outcome.steps) - 1}"
            raise
        course.phase = "close"
