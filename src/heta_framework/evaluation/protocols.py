"""What a benchmark and an evaluator are to the runner: any object with these names."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol, runtime_checkable

from heta_framework.evaluation.types import (
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkManifest,
    BenchmarkResource,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    EvaluationScore,
    PreparedBenchmark,
)
from heta_framework.kb.search.types import QueryResponse

__all__ = ["BenchmarkEvaluatorProtocol", "BenchmarkProtocol"]


@runtime_checkable
class BenchmarkEvaluatorProtocol(Protocol):
    """Scores one response.

    The runner also looks for these, which an evaluator may leave out: ``required_top_k`` (how many results it looks
    at), ``counts_documents`` (whether those are documents rather than results) and ``is_labelled(case)`` (whether the
    case has a label for it, asked where a query failed).
    """

    @property
    def name(self) -> str:
        """Of the measure; unique among the evaluators of a run."""
        ...

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        """The verdict on the response. What it raises costs this score alone."""
        ...


@runtime_checkable
class BenchmarkProtocol(Protocol):
    """Turns an external benchmark into documents, cases, run units and evaluators.

    ``documents``, ``cases`` and ``run_units`` are asynchronous generators; the runner may call each more than once.
    """

    @property
    def manifest(self) -> BenchmarkManifest:
        """The benchmark's identity."""
        ...

    def resources(self) -> tuple[BenchmarkResource, ...]:
        """What it needs from outside."""
        ...

    async def prepare(self, workspace: BenchmarkWorkspace) -> PreparedBenchmark:
        """Download, extract, check or find the material."""
        ...

    def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:
        """The raw documents."""
        ...

    def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:
        """The questions with their labels."""
        ...

    def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:
        """Which knowledge bases are built, from which documents, and which cases each is asked."""
        ...

    def evaluators(self) -> tuple[BenchmarkEvaluatorProtocol, ...]:
        """How it is scored unless the run says otherwise."""
        ...
