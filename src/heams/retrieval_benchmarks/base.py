"""What the configurations of all retrieval benchmarks have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from heams.retrieval_benchmarks.evaluators import EvaluatorChoice
from heta_framework.common.config import Number, WholeNumber

if TYPE_CHECKING:
    from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol, BenchmarkProtocol
    from heta_framework.evaluation.types import BenchmarkResource


class RetrievalBenchmarkConfig(BaseModel, ABC):
    """A benchmark that is asked of knowledge bases, not of agents.

    ``evaluators`` take the place of the benchmark's own. ``top_k`` is how many results a query asks for, at least:
    evaluators that look at more raise it. ``query_options`` are given to every query.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    evaluators: tuple[EvaluatorChoice, ...] | None = Field(default=None, min_length=1)
    top_k: WholeNumber = Field(default=10, ge=1)
    query_options: Mapping[str, JsonValue] = Field(default_factory=dict)
    query_timeout_s: Number = Field(default=600.0, gt=0)
    retries: WholeNumber = Field(default=2, ge=0)

    @abstractmethod
    def make(self, root: Path, *, accept_licence: bool = False) -> BenchmarkProtocol:
        """The benchmark; ``root`` is the project's folder. Nothing is read or fetched for it.

        ``accept_licence``: whoever runs it accepts the licence of data that is downloaded.

        Raises:
            ValueError: settings do not fit together; the message says how.
        """

    def downloads(self, benchmark: BenchmarkProtocol) -> Iterable[BenchmarkResource]:
        """What the benchmark needs from elsewhere, without that for which a file or folder is given."""
        return benchmark.resources()

    def made_evaluators(self, benchmark: BenchmarkProtocol) -> tuple[BenchmarkEvaluatorProtocol, ...]:
        """The evaluators that were chosen, else the benchmark's own."""
        if self.evaluators is None:
            return tuple(benchmark.evaluators())
        return tuple(evaluator for choice in self.evaluators for evaluator in choice.make())
