"""The table of the runs page: which rows, in which order, under which headings.

Scores are only compared within a benchmark, so each has a scale of its own.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from heams.benchmarks.info import ReportDimension
from heams.browse.views.run_row import RunRow

Key = Callable[[RunRow], tuple[object, ...]]
DIMENSIONS = tuple(dimension.value for dimension in ReportDimension)


@dataclass(frozen=True, slots=True)
class Group:
    """The experiments of one benchmark; in a flat table all of them, without a ``title``."""

    title: str | None
    over: tuple[str, ...]
    rows: tuple[RunRow, ...]


@dataclass(frozen=True, slots=True)
class RunTable:
    """``shown`` rows of ``total``; ``scales`` has the ends of the line of each (benchmark, metric)."""

    groups: tuple[Group, ...]
    shown: int
    total: int
    scales: dict[tuple[str, str], tuple[float, float]]

    def scale(self, row: RunRow, metric: str) -> tuple[float, float]:
        """The ends of the line on which a metric of a row is drawn."""
        return self.scales[row.benchmark, metric]


def _number(value: float | None) -> tuple[object, ...]:
    return (value is None, value or 0.0)


def _score(row: RunRow) -> float | None:
    return row.measured.score.of.summary.mean if row.measured is not None and row.measured.score is not None else None


def _of(name: str) -> Key:
    return lambda row: _number(None if row.measured is None else getattr(row.measured, name))


def _place(row: RunRow) -> tuple[object, ...]:
    """As reports order them: per agent, lower references first and upper ones last."""
    bound = row.measured.bound if row.measured is not None else None
    return (row.agent, bound.position if bound is not None else 0, row.memory_system, row.key)


SORTS: dict[str, Key] = {
    "name": lambda row: (row.key,),
    "agent": lambda row: (row.agent, row.memory_system),
    "memory": lambda row: (row.memory_system, row.agent),
    "n": _of("n"),
    "score": lambda row: _number(_score(row)),
    "unscored": _of("unscored"),
    "unsupported": _of("unsupported"),
    "errors": _of("errors"),
    "cost": _of("cost_usd"),
    "p50": _of("p50"),
    "p95": _of("p95"),
    "status": lambda row: (row.state or "", -row.status.updated_at.timestamp() if row.status is not None else 0.0),
}
"""What rows can be sorted by. Rows without a value come last either way."""


def run_table(
    rows: Sequence[RunRow], *, words: str = "", dimension: str = "", sort: str = "", flat: bool = False
) -> RunTable:
    """The rows that have every one of ``words`` and belong to ``dimension``, in the order of ``sort``."""
    wanted = words.casefold().split()
    chosen = [
        row
        for row in rows
        if (not dimension or row.dimension == dimension) and all(word in row.words for word in wanted)
    ]
    groups = [Group(None, (), tuple(_sorted(chosen, sort)))] if flat else list(_grouped(chosen, sort))
    return RunTable(tuple(group for group in groups if group.rows), len(chosen), len(rows), _scales(rows))


def _grouped(rows: Sequence[RunRow], sort: str) -> Iterable[Group]:
    by_benchmark: dict[tuple[str, str | None, str], list[RunRow]] = {}
    for row in sorted(rows, key=_benchmark_place):
        by_benchmark.setdefault((row.dimension, row.section, row.benchmark), []).append(row)
    for (dimension, section, benchmark), members in by_benchmark.items():
        over = (dimension.capitalize(), *([section] if section else []))
        yield Group(benchmark, over, tuple(_sorted(members, sort)))


def _benchmark_place(row: RunRow) -> tuple[object, ...]:
    return DIMENSIONS.index(row.dimension), row.section or "", row.order, row.benchmark


def _sorted(rows: Sequence[RunRow], sort: str) -> list[RunRow]:
    name, descending = sort.removeprefix("-"), sort.startswith("-")
    if name not in SORTS:
        return sorted(rows, key=_place)
    key = SORTS[name]
    valued = [row for row in rows if key(row)[0] is not True]
    missing = [row for row in rows if key(row)[0] is True]
    return [*sorted(sorted(valued, key=_place), key=key, reverse=descending), *sorted(missing, key=_place)]


def _scales(rows: Iterable[RunRow]) -> dict[tuple[str, str], tuple[float, float]]:
    """From 0 to 1 where all values lie there; else as far as they go, and to 0."""
    ends: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        for score in row.measured.scores if row.measured is not None else ():
            found = ends.setdefault((row.benchmark, score.metric), [0.0])
            if score.of.summary.mean is not None:
                found.append(score.of.summary.mean)
            if score.of.summary.interval is not None:
                found += [score.of.summary.interval.low, score.of.summary.interval.high]
    return {
        key: (min(values), max(*values, 1.0) if min(values) >= 0 and max(values) <= 1 else max(values))
        for key, values in ends.items()
    }
