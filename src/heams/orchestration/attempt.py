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
from heams.orchestration.errors import RunRefused, describe_error
from heams.orchestration.histories import HistoryPool, Lease
from heams.orchestration.judging import EvaluatorPool, failed_records, judge
from heams.orchestration.plan import Planned
from heams.orchestration.projection import timings_of, transcript_of
from heams.orchestration.redaction import Redactor
from heams.orchestration.results import ErrorInfo, Isolation, RunResult
from heams.orchestration.run_file import ExperimentSettings
from heams.orchestration.store import StoreError
from heams.orchestration.texts import TextBook
from heams.scenarios.outcome import ScenarioOutcome
from heams.scenarios.port import RecordingPort
from heams.scenarios.runner import ScenarioPlayer
from heams.scenarios.scenario import Scenario
from heams.scenarios.usage import UsageByRole, add_usage, checked_usage


@dataclass(slots=True)
class _Course:
    """How far an attempt came."""

    outcome: ScenarioOutcome
    phase: str = "open"
    isolation: Isolation = "own"
    memory_usage: UsageByRole | None = None
    opened: float = 0.0
    evaluated: float = 0.0


class ScenarioAttempts:
    """Plays attempts for one experiment."""

    def __init__(
        self,
        name: str,
        run_id: str,
        agent: Agent,
        system: MemorySystem,
        settings: ExperimentSettings,
        pool: HistoryPool,
        texts: TextBook,
        redactor: Redactor,
    ) -> None:
        self._name = name
        self._run_id = run_id
        self._agent = agent
        self._system = system
        self._settings = settings
        self._pool = pool
        self._texts = texts
        self._redactor = redactor
        self._evaluators = EvaluatorPool()

    async def play(self, planned: Planned, attempt: int) -> RunResult:
        """One attempt; whatever goes wrong in agent, memory or evaluator becomes part of the result.

        Raises:
            RunRefused, StoreError: the run as a whole cannot go on.
        """
        scenario = planned.sample.to_scenario()
        evaluators = self._evaluators.for_scenario(scenario)
        capabilities = self._system.capabilities
        outcome = ScenarioOutcome(
            scenario, memory_ranked=capabilities.ranked, memory_provenance=capabilities.provenance
        )
        course = _Course(outcome)
        started, began = datetime.now(UTC), perf_counter()
        records: Sequence[EvaluationRecord]
        error: ErrorInfo | None = None
        try:
            records = await self._course_of(course, planned, scenario, evaluators)
        except (RunRefused, StoreError):
            raise
        except (Exception, asyncio.CancelledError) as cause:  # agent, memory or evaluator may fail in any way
            if cancellation_was_asked_for():
                raise
            error = self._described(course.phase, cause)
            records = failed_records(scenario, evaluators, error)
        total = perf_counter() - began
        identity = {"sample_id": scenario.id, "repeat": planned.repeat, "attempt": attempt, "started_at": started}
        try:
            return self._result(course, records, error, total, identity)
        except ValueError as cause:  # a component handed over something that no artifact can hold
            error = error or self._described("save", cause)
            bare = _Course(ScenarioOutcome(scenario), isolation=course.isolation)
            return self._result(bare, failed_records(scenario, evaluators, error), error, total, identity)

    def _described(self, phase: str, cause: BaseException) -> ErrorInfo:
        return self._redactor.error(describe_error(phase, cause, self._settings.scenario_timeout_s))

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
            run_id=self._run_id,
            status="completed" if error is None else "error",
            experiment=self._name,
            sample_name=scenario.name,
            history_id=scenario.history.id if scenario.history else None,
            isolation=course.isolation,
            tags=scenario.tags,
            transcript=transcript_of(course.outcome, self._texts),
            records=tuple(records),
            usage=add_usage([*(step.usage for step in steps), course.memory_usage or {}]),
            timings=timings_of(steps, opened=course.opened, evaluated=course.evaluated, total=total),
            error=error,
            finished_at=datetime.now(UTC),
        )

    async def _course_of(
        self, course: _Course, planned: Planned, scenario: Scenario, evaluators: Sequence[BaseEvaluator]
    ) -> Sequence[EvaluationRecord]:
        began = perf_counter()
        async with self._pool.lease(scenario, planned.repeat) as lease:
            course.opened, course.isolation = perf_counter() - began, lease.isolation
            async with asyncio.timeout(self._settings.scenario_timeout_s):
                await self._play_steps(course, lease, scenario, evaluators)
                course.memory_usage = checked_usage(await lease.memory.usage())
                course.phase = "evaluate"
                began = perf_counter()
                records = await judge(course.outcome, evaluators)
                course.evaluated = perf_counter() - began
        return records

    async def _play_steps(
        self, course: _Course, lease: Lease, scenario: Scenario, evaluators: Sequence[BaseEvaluator]
    ) -> None:
        owns_memory = self._agent.capabilities.owns_memory
        port = RecordingPort(lease.memory, self._system.capabilities, self._settings.recall_budget, scope=scenario.id)
        listens = owns_memory or self._settings.ingestion == "through_agent"
        player = ScenarioPlayer(
            course.outcome,
            session=lease.session,
            memory=lease.memory,
            port=port,
            listener="agent" if listens else "memory",
            agent_owns_memory=owns_memory,
            evaluators=evaluators,
        )
        try:
            await player.play(lease.now)
        except BaseException:
            course.phase = f"step {len(course.outcome.steps) - 1}"
            raise
