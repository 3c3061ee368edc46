"""What is traded for what: scores of one benchmark against those of another, and scores against what they cost."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from heams.benchmarks.info import ReportDimension
from heams.browse.rendering import links
from heams.browse.views.matrix.columns import Column, Played
from heams.reporting.charts import Point
from heams.reporting.digest import Digest
from heams.reporting.metrics import MetricSummary
from heams.reporting.spending import total

BOTH = "both"
"""Stands for the harmonic mean of two axes in addresses."""
_FEWEST = 2
Label = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Measure:
    """A score that can be drawn: ``value`` in addresses, ``name`` for people, and what each row scored."""

    value: str
    name: str
    dimension: ReportDimension
    scores: Mapping[Label, float]
    played: Mapping[Label, Played]


@dataclass(frozen=True, slots=True)
class Trade:
    """Two measures, and the rows that have both as points, ``x`` the horizontal one."""

    x: Measure
    y: Measure
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class CostTrade:
    """A measure against what it took; ``unit`` says of what. ``points`` have the cost as ``x``."""

    of: Measure
    unit: str
    points: tuple[Point, ...]


def measures(columns: Sequence[Column]) -> list[Measure]:
    """Every headline of the columns: the axes of one, and where there are two, both together first."""
    return [measure for column in columns for measure in _measures(column)]


def trade(known: Sequence[Measure], x: str = "", y: str = "") -> Trade | None:
    """Performance against privacy, or the measures named; None where two competitors do not have both.

    Where none is named, the pair of measures that most rows have.
    """
    across = [one for one in known if one.value == x] or _of(known, ReportDimension.PERFORMANCE)
    upwards = [one for one in known if one.value == y] or _of(known, ReportDimension.PRIVACY)
    pairs = [(one, other) for one in across for other in upwards if one.value != other.value]
    if not pairs:
        return None
    first, second = max(pairs, key=lambda pair: len(pair[0].scores.keys() & pair[1].scores.keys()))
    points = tuple(_points(first, second))
    return Trade(first, second, points) if _worth_drawing(points) else None


def cost_trade(known: Sequence[Measure], of: str = "") -> CostTrade | None:
    """The measure that is named, else the one that most rows have, against money, or recalled tokens."""
    chosen = [one for one in known if one.value == of] or list(known)
    if not chosen:
        return None
    measure = max(chosen, key=lambda one: len(one.scores))
    costs, unit = _costs(measure)
    points = tuple(
        _point(measure, label, costs[label], score, measure)
        for label, score in measure.scores.items()
        if label in costs
    )
    return CostTrade(measure, unit, points) if _worth_drawing(points) else None


def _of(known: Sequence[Measure], dimension: ReportDimension) -> list[Measure]:
    return [one for one in known if one.dimension is dimension]


def _measures(column: Column) -> Iterator[Measure]:
    played = {_label(one): one for one in reversed(column.played)}
    if len(column.axes) > 1:
        names = " and ".join(axis.name for axis in column.axes)
        scores = {label: one.headline for label, one in played.items()}
        yield _measure(column, BOTH, f"{column.title}: harmonic mean of {names}", scores, played)
    for place, axis in enumerate(column.axes):
        scores = {label: _mean(one.values[place]) for label, one in played.items()}
        yield _measure(column, str(axis.key), f"{column.title}: {axis.name}", scores, played)


def _measure(
    column: Column, what: str, name: str, scores: Mapping[Label, float | None], played: Mapping[Label, Played]
) -> Measure:
    known = {label: score for label, score in scores.items() if score is not None}
    return Measure(f"{column.title}|{what}", name, column.dimension, known, played)


def _label(played: Played) -> Label:
    labels = played.digest.results.labels
    return labels.agent, labels.memory_system


def _mean(value: MetricSummary | None) -> float | None:
    return None if value is None else value.summary.mean


def _points(x: Measure, y: Measure) -> Iterator[Point]:
    for label, score in x.scores.items():
        if label in y.scores:
            yield _point(x, label, score, y.scores[label], y)


def _point(x: Measure, label: Label, across: float, upwards: float, y: Measure) -> Point:
    agents = {agent for agent, _ in x.scores.keys() & y.scores.keys()}
    name = label[1] if len(agents) == 1 else f"{label[1]} with {label[0]}"
    played = y.played[label]
    return Point(name, across, upwards, played.digest.bound is not None, href=links.run(played.entry.experiment.key))


def _costs(measure: Measure) -> tuple[dict[Label, float], str]:
    """What replies from a cache would have cost counts: whoever is played second finds more in it."""
    digests = {label: one.digest for label, one in measure.played.items()}
    paid = {label: _paid(digest) for label, digest in digests.items()}
    if any(paid.values()):
        return {label: cost for label, cost in paid.items() if cost is not None}, "cost without cache, USD"
    tokens = {label: digest.recalling.tokens.p50 for label, digest in digests.items()}
    return {label: number for label, number in tokens.items() if number is not None}, "recalled tokens, p50"


def _paid(digest: Digest) -> float | None:
    return None if digest.unreported else total(digest.spent).full_cost_usd


def _worth_drawing(points: Sequence[Point]) -> bool:
    """Whether two competitors are apart."""
    return len({(point.x, point.y) for point in points if not point.reference}) >= _FEWEST
