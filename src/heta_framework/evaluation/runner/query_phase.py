"""Asks a unit's cases, several at a time; each is scored and handed on before the next one is taken."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from heta_framework.evaluation.records.means import UNLABELLED_EVALUATORS
from heta_framework.evaluation.runner.asking import Answered, Asker
from heta_framework.evaluation.runner.case_sink import CaseSink
from heta_framework.evaluation.runner.cases import CaseBook
from heta_framework.evaluation.runner.config import BenchmarkRunConfig
from heta_framework.evaluation.runner.needs import Needs
from heta_framework.evaluation.runner.over_fetch import FetchPlan
from heta_framework.evaluation.runner.scoring import Scorer, with_errors
from heta_framework.evaluation.runner.side_by_side import side_by_side
from heta_framework.evaluation.runner.tally import Tally
from heta_framework.evaluation.runner.units import PlannedUnit
from heta_framework.evaluation.types import BenchmarkCase, EvaluationCaseResult, EvaluationError
from heta_framework.kb import KnowledgeBase


@dataclass(frozen=True)
class Question:
    """A case to be asked in a mode.

    Attributes:
        position: of the case in the benchmark's stream.
        ordinal: of the case and the mode among all results.
    """

    position: int
    mode: str
    ordinal: int


class QueryPhase:
    """The cases of all units."""

    def __init__(
        self,
        *,
        cases: CaseBook,
        modes: tuple[str, ...],
        scorer: Scorer,
        needs: Needs,
        config: BenchmarkRunConfig,
        sink: CaseSink,
        tally: Tally,
    ) -> None:
        self._cases = cases
        self._modes = modes
        self._scorer = scorer
        self._needs = needs
        self._config = config
        self._sink = sink
        self._tally = tally
        self._turns = asyncio.Semaphore(config.max_concurrent_queries)

    def has_questions(self, unit: PlannedUnit) -> bool:
        """Whether a case of the unit is still to be asked."""
        return next(self._questions(unit), None) is not None

    async def ask(self, unit: PlannedUnit, kb: KnowledgeBase) -> None:
        """Ask what is not done yet; cases that failed in an earlier process are asked again."""
        askers = {mode: self._asker(unit, kb, mode) for mode in self._modes}
        questions = self._questions(unit)

        async def work() -> None:
            for question in questions:
                case = self._cases[question.position]
                async with self._turns:
                    answered = await askers[question.mode].ask(case.query)
                await self._hand_on(unit, question, case, answered)

        await side_by_side(work, self._config.max_concurrent_queries)

    async def fail(self, unit: PlannedUnit, error: EvaluationError) -> None:
        """Give every case that is not done this error."""
        for question in self._questions(unit):
            await self._hand_on(unit, question, self._cases[question.position], Answered(error=error))

    def _questions(self, unit: PlannedUnit) -> Iterator[Question]:
        done, failed = self._sink.done, self._sink.failed
        for position in unit.cases:
            case_id = self._cases.ids.at(position)
            for place, mode in enumerate(self._modes):
                key = (case_id, mode)
                if key not in done or key in failed:
                    yield Question(position, mode, position * len(self._modes) + place)

    def _asker(self, unit: PlannedUnit, kb: KnowledgeBase, mode: str) -> Asker:
        rounds = self._config.over_fetch_rounds
        plan = FetchPlan.of(self._needs, kb, mode, documents=len(unit.documents), rounds=rounds)
        return Asker(kb, mode, plan, self._config)

    async def _hand_on(self, unit: PlannedUnit, question: Question, case: BenchmarkCase, answered: Answered) -> None:
        result = await self._result(unit, question, case, answered)
        await self._sink.wait_for_room()
        counted = self._tally.counting(case, result, question.ordinal, unit.unit_id)
        self._sink.submit(result, question.ordinal, unit.unit_id, counted)

    async def _result(
        self, unit: PlannedUnit, question: Question, case: BenchmarkCase, answered: Answered
    ) -> EvaluationCaseResult:
        where = {"benchmark_run_unit": unit.unit_id, "knowledge_base_name": unit.knowledge_base_name}
        metadata: Mapping[str, Any] = {**where, **answered.notes}
        if answered.response is None:
            unlabelled = self._scorer.without_label(case)
            return EvaluationCaseResult(
                case.case_id,
                case.query,
                question.mode,
                error=answered.error,
                metadata={**metadata, UNLABELLED_EVALUATORS: unlabelled} if unlabelled else metadata,
            )
        scored = await self._scorer.score(case, answered.response)
        return EvaluationCaseResult(
            case.case_id,
            case.query,
            question.mode,
            scored.scores,
            answered.response,
            answered.latency_ms,
            metadata=with_errors(metadata, scored.errors),
        )
