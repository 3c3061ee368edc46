"""Asks every evaluator about a response; what one of them does wrong costs its own score alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol
from heta_framework.evaluation.runner.failures import STOPS_THE_RUN, message_of
from heta_framework.evaluation.types import BenchmarkCase, EvaluationScore
from heta_framework.kb.search.types import QueryResponse

EVALUATOR_ERRORS = "evaluator_errors"
"""In a result's metadata: the evaluators that failed, by name."""
UNLABELLED_EVALUATORS = "unlabelled_evaluators"
"""In a failed result's metadata: the evaluators for which its case has no label."""

_TURN_S = 0.005
"""Evaluators may compute for so long before others have a turn on the event loop."""


@dataclass(frozen=True)
class Scored:
    """The verdicts on one response.

    Attributes:
        errors: of the evaluators that failed, by name: ``type`` and ``message``.
    """

    scores: tuple[EvaluationScore, ...]
    errors: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


class Scorer:
    """The evaluators of a run."""

    def __init__(self, evaluators: Sequence[BenchmarkEvaluatorProtocol], seconds: float) -> None:
        """``seconds`` is how long one evaluator may take for one response."""
        self.evaluators = tuple(evaluators)
        self._seconds = seconds

    async def score(self, case: BenchmarkCase, response: QueryResponse) -> Scored:
        """All scores.

        Raises:
            CostLimitReached, ReplayMiss, ModelSetupError: an evaluator that asks a model may not ask any more.
        """
        scores: list[EvaluationScore] = []
        errors: dict[str, Mapping[str, str]] = {}
        turn = perf_counter()
        for evaluator in self.evaluators:
            try:
                scores.append(await self._one(evaluator, case, response))
            except STOPS_THE_RUN:
                raise
            except asyncio.CancelledError as error:
                if _is_being_cancelled():
                    raise
                errors[evaluator.name] = _shown(error)
            except Exception as error:  # noqa: BLE001 - evaluators are plugins: one that fails must not cost the others' scores
                errors[evaluator.name] = _shown(error)
            if perf_counter() - turn > _TURN_S:
                await asyncio.sleep(0)
                turn = perf_counter()
        return Scored(tuple(scores), errors)

    def without_label(self, case: BenchmarkCase) -> list[str]:
        """The evaluators for which a case has no label, asked where there is no response to score."""
        return [evaluator.name for evaluator in self.evaluators if not _is_labelled(evaluator, case)]

    async def _one(
        self, evaluator: BenchmarkEvaluatorProtocol, case: BenchmarkCase, response: QueryResponse
    ) -> EvaluationScore:
        try:
            async with asyncio.timeout(self._seconds) as limit:
                given: Any = evaluator.evaluate(case=case, response=response)
                score = await given if isinstance(given, Awaitable) else given
        except TimeoutError:
            if not limit.expired():
                raise
            raise TimeoutError(f"no score within {self._seconds:g} s") from None
        if not isinstance(score, EvaluationScore):
            raise TypeError(f"evaluate() must return an EvaluationScore, found {type(score).__name__}")
        return score


def with_errors(metadata: Mapping[str, Any], errors: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """A result's metadata that says which evaluators failed, if any did."""
    kept = {key: value for key, value in metadata.items() if key != EVALUATOR_ERRORS}
    return {**kept, EVALUATOR_ERRORS: errors} if errors else kept


def _is_labelled(evaluator: BenchmarkEvaluatorProtocol, case: BenchmarkCase) -> bool:
    ask: Any = getattr(evaluator, "is_labelled", None)
    if ask is None:
        return True
    try:
        return bool(ask(case))
    except Exception:  # noqa: BLE001 - evaluators are plugins; where it cannot tell, the failed case counts
        return True


def _is_being_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _shown(error: BaseException) -> dict[str, str]:
    return {"type": type(error).__name__, "message": message_of(error)}
