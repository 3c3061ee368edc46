"""Counts finished cases, and tells whoever watches."""

from __future__ import annotations

from collections.abc import Callable

from heta_framework.evaluation.runner.progress import CaseWatcher, RunPhase, RunProgress, Watcher
from heta_framework.evaluation.types import BenchmarkCase, EvaluationCaseResult


class Tally:
    """Of one phase.

    Attributes:
        done, failed: how many, each case in each mode.
        first_failure: of the case that comes first in the benchmark.
    """

    def __init__(
        self, phase: RunPhase, total: int, *, done: int = 0, watcher: Watcher, on_case: CaseWatcher | None = None
    ) -> None:
        self._phase: RunPhase = phase
        self._total = total
        self._watcher = watcher
        self._on_case = on_case
        self.done = done
        self.failed = 0
        self.first_failure: tuple[int, EvaluationCaseResult] | None = None

    def counting(
        self, case: BenchmarkCase, result: EvaluationCaseResult, ordinal: int, unit_id: str
    ) -> Callable[[], None]:
        """What to call when the result is durable."""

        def count() -> None:
            self.done += 1
            if result.error is not None:
                self._note_failure(ordinal, result)
            self._watcher(RunProgress(self._phase, unit_id, self.done, self._total, self.failed))
            if self._on_case is not None:
                self._on_case(case, result)

        return count

    @property
    def all_failed(self) -> bool:
        """Whether not one case has a response."""
        return self.failed > 0 and self.failed == self.done

    def _note_failure(self, ordinal: int, result: EvaluationCaseResult) -> None:
        self.failed += 1
        if self.first_failure is None or ordinal < self.first_failure[0]:
            self.first_failure = ordinal, result
