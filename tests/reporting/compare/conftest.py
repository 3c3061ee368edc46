"""Two experiments beside each other: memory systems ``first`` (A) and ``second`` (B) on the same questions."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import pytest

from heams.benchmarks.registry import report_info
from heams.reporting.compare import PairedComparison, Side, compare
from heams.reporting.load import load_results
from heams.reporting.tables import ExperimentTables


class Comparing(Protocol):
    """Compares two saved experiments."""

    def __call__(self, a: Any, b: Any, **options: Any) -> PairedComparison:
        """See ``compare``."""


@pytest.fixture
def side() -> Iterator[Callable[[Any], Side]]:
    """A saved experiment as a side, read once; its tables are closed at the end of the test."""
    with ExitStack() as stack:
        opened: dict[Path, Side] = {}

        def open_side(saved: Any) -> Side:
            if saved.directory not in opened:
                results = load_results(saved.directory).experiments[0]
                criterion_of = report_info(results.benchmark_type).criterion_of
                opened[saved.directory] = Side(results, stack.enter_context(ExperimentTables(results, criterion_of)))
            return opened[saved.directory]

        yield open_side


@pytest.fixture
def comparing(side: Callable[[Any], Side]) -> Comparing:
    """``comparing(a, b, by="topic")``."""
    return lambda a, b, **options: compare(side(a), side(b), **options)


@pytest.fixture
def two(experiment: Callable[..., Any]) -> Callable[..., tuple[Any, Any]]:
    """Two empty experiments that differ in their memory system alone, and in what is given for B."""

    def begin(b: Mapping[str, Any] | None = None, **both: Any) -> tuple[Any, Any]:
        first = experiment("first", **{"memory": "lexical", **both})
        return first, experiment("second", **{"memory": "vector", **both, **(b or {})})

    return begin


@pytest.fixture
def answered(two: Callable[..., tuple[Any, Any]], record: Callable[..., Any]) -> Callable[..., tuple[Any, Any]]:
    """Two experiments with these values of A and B by sample; ``histories`` names the history of each sample."""

    def build(
        values: Mapping[str, tuple[float | None, float | None]],
        histories: Mapping[str, str] | None = None,
        *,
        yes_or_no: bool = False,
        tags: Mapping[str, Mapping[str, str]] | None = None,
    ) -> tuple[Any, Any]:
        sides = two()
        for sample, pair in values.items():
            for saved, value in zip(sides, pair, strict=True):
                fields: dict[str, Any] = {"tags": (tags or {}).get(sample, {})}
                if value is None:
                    fields["outcome"] = "unscored"
                elif yes_or_no:
                    fields["passed"] = value == 1
                saved.add(sample, record(value, **fields), history_id=(histories or {}).get(sample))
        return sides

    return build
