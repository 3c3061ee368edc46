"""Where finished cases go: the log of a saved report, or the memory of this process."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Protocol, Self

from heta_framework.evaluation.types import EvaluationCaseResult

CaseKey = tuple[str, str]


class CaseSink(Protocol):
    """What the runner needs of a `CaseLog`."""

    @property
    def done(self) -> Mapping[CaseKey, Any]:
        """Cases and modes that an earlier process finished, failed ones included."""
        ...

    @property
    def failed(self) -> Container[CaseKey]:
        """Those of them that failed."""
        ...

    def submit(
        self, result: EvaluationCaseResult, ordinal: int, unit: str, on_durable: Callable[[], None] | None = None
    ) -> None:
        """Take in a finished case."""
        ...

    async def wait_for_room(self) -> None:
        """Hold a producer back while too much waits to be written."""
        ...

    async def saved(self) -> Sequence[EvaluationCaseResult]:
        """What is there at this moment, in order."""
        ...

    async def finish(self) -> Sequence[EvaluationCaseResult]:
        """All cases, in order."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *how: object) -> None: ...


class MemorySink:
    """A `CaseSink` of a report that is not saved."""

    def __init__(self) -> None:
        self.done: Mapping[CaseKey, Any] = {}
        self.failed: Container[CaseKey] = frozenset()
        self._results: dict[int, EvaluationCaseResult] = {}

    def submit(
        self, result: EvaluationCaseResult, ordinal: int, unit: str, on_durable: Callable[[], None] | None = None
    ) -> None:
        """Keep it."""
        self._results[ordinal] = result
        if on_durable is not None:
            on_durable()

    async def wait_for_room(self) -> None:
        """There always is some."""

    async def saved(self) -> tuple[EvaluationCaseResult, ...]:
        """What is there, in order."""
        return tuple(self._results[ordinal] for ordinal in sorted(self._results))

    async def finish(self) -> tuple[EvaluationCaseResult, ...]:
        """All cases, in order."""
        return await self.saved()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *how: object) -> None:
        pass
