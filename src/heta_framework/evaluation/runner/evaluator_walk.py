"""Evaluators that score a response one after another, in a task that is left behind where one of them never ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from time import perf_counter
from typing import Any

from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol
from heta_framework.evaluation.runner.failures import GOES_THROUGH, STOPS_THE_RUN, message_of
from heta_framework.evaluation.runner.own_task import end_task
from heta_framework.evaluation.types import BenchmarkCase, EvaluationScore
from heta_framework.kb.search.types import QueryResponse

_TURN_S = 0.005
"""Evaluators may compute for so long before others have a turn on the event loop."""
_OVERDUE_S = 5.0
"""An evaluator whose time is up is cancelled; one that goes on for so long all the same is left behind."""


class EvaluatorWalk:
    """From one evaluator to the next; their time is watched from outside.

    Attributes:
        place: of the evaluator that is at work; behind the last one at the end.
        scores, errors: so far; errors by the evaluator's name: ``type`` and ``message``.
    """

    def __init__(
        self,
        evaluators: Sequence[BenchmarkEvaluatorProtocol],
        seconds: float,
        case: BenchmarkCase,
        response: QueryResponse,
    ) -> None:
        """``seconds`` is how long one evaluator may take."""
        self._evaluators = evaluators
        self._seconds = seconds
        self._case = case
        self._response = response
        self._began = perf_counter()
        self.place = 0
        self.scores: list[EvaluationScore] = []
        self.errors: dict[str, Mapping[str, str]] = {}

    async def go(self) -> None:
        """To the end, or as far as it gets: an evaluator that cancels, or never ends, ends this walk.

        Raises:
            CostLimitReached, ReplayMiss, ModelSetupError: an evaluator that asks a model may not ask any more.
        """
        task = asyncio.create_task(self._walk())
        try:
            while not task.done() and (left := self._began + self._seconds + _OVERDUE_S - perf_counter()) > 0:
                await asyncio.wait({task}, timeout=left)
        finally:
            is_late = not task.done()
            if is_late:
                await end_task(task)
        if task.done() and not task.cancelled():
            task.result()
        else:
            self._note(self._late() if is_late else asyncio.CancelledError("the evaluator cancelled itself"))

    def _note(self, error: BaseException) -> None:
        """The evaluator that is at work has failed; the next one is to follow."""
        self.errors[self._evaluators[self.place].name] = _shown(error)
        self.place += 1

    async def _walk(self) -> None:
        turn = perf_counter()
        for place, evaluator in enumerate(self._evaluators):
            self.place, self._began = place, perf_counter()
            try:
                self.scores.append(await self._score(evaluator))
            except (*STOPS_THE_RUN, *GOES_THROUGH):
                raise
            except BaseException as error:  # noqa: BLE001 - evaluators are plugins: one that fails, be it by a panic of native code, must not cost the others' scores
                self.errors[evaluator.name] = _shown(error)
            if perf_counter() - turn > _TURN_S:
                await asyncio.sleep(0)
                turn = perf_counter()
        self.place = len(self._evaluators)

    async def _score(self, evaluator: BenchmarkEvaluatorProtocol) -> EvaluationScore:
        try:
            async with asyncio.timeout(self._seconds) as limit:
                given: Any = evaluator.evaluate(case=self._case, response=self._response)
                score = await given if isinstance(given, Awaitable) else given
        except TimeoutError:
            if not limit.expired():
                raise
            raise self._late() from None
        if not isinstance(score, EvaluationScore):
            raise TypeError(f"evaluate() must return an EvaluationScore, found {type(score).__name__}")
        return score

    def _late(self) -> TimeoutError:
        return TimeoutError(f"no score within {self._seconds:g} s")


def _shown(error: BaseException) -> dict[str, str]:
    return {"type": type(error).__name__, "message": message_of(error)}
