"""Asks every evaluator about a response; what one of them does wrong costs its own score alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol
from heta_framework.evaluation.records.means import EVALUATOR_ERRORS
from heta_framework.evaluation.runner.evaluator_walk import EvaluatorWalk
from heta_framework.evaluation.types import BenchmarkCase, EvaluationScore
from heta_framework.kb.search.types import QueryResponse


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
        left = self.evaluators
        while left:
            walk = EvaluatorWalk(left, self._seconds, case, response)
            await walk.go()
            scores += walk.scores
            errors |= walk.errors
            left = left[walk.place :]
        return Scored(tuple(scores), errors)

    def without_label(self, case: BenchmarkCase) -> list[str]:
        """The evaluators for which a case has no label, asked where there is no response to score."""
        return [evaluator.name for evaluator in self.evaluators if not _is_labelled(evaluator, case)]


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
