"""The charts below a table that compares experiments: scores, and what they are traded for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from heams.benchmarks.info import ReportDimension
from heams.reporting.charts.cost_scatter import cost_axes, cost_scatter
from heams.reporting.charts.figure import Figure
from heams.reporting.charts.intervals import Bar, interval_chart, interval_words
from heams.reporting.charts.of_experiment import bar_of
from heams.reporting.charts.privacy_scatter import privacy_axes, privacy_scatter
from heams.reporting.charts.scatter import Point, scatter_words
from heams.reporting.comparison import Comparison, MetricKey, metric_of
from heams.reporting.digest import Digest
from heams.reporting.spending import total

_PANELS = 4
_FEWEST = 2


def comparison_figures(comparison: Comparison, name: str) -> Iterator[Figure]:
    """The figures of a table, under names that end with ``name``; none where there is nothing to compare."""
    bars = list(_bars(comparison))
    if len({bar.row for bar in bars}) >= _FEWEST:
        words = interval_words(bars, title=comparison.title)
        yield Figure(f"scores_{name}", words, partial(interval_chart, bars, title=comparison.title))
    traded = _privacy if comparison.dimension is ReportDimension.PRIVACY else _cost
    figure = traded(comparison, name)
    if figure is not None:
        yield figure


def file_names(comparisons: Sequence[Comparison]) -> Mapping[str, str]:
    """A part of a file name for each title; titles are unique, so numbers keep those apart that read alike."""
    found: dict[str, str] = {}
    for comparison in comparisons:
        plain = re.sub(r"[^a-z0-9]+", "_", comparison.title.lower()).strip("_")[:60] or "benchmark"
        taken = set(found.values())
        numbered = (plain if number == 1 else f"{plain}_{number}" for number in range(1, len(comparisons) + 1))
        found[comparison.title] = next(name for name in numbered if name not in taken)
    return found


def _bars(comparison: Comparison) -> Iterator[Bar]:
    for key, panel in list(comparison.headline().items())[:_PANELS]:
        for row, digest in zip(comparison.row_names(), comparison.digests, strict=True):
            found = metric_of(digest, key)
            if found is not None and found.summary.n:
                yield bar_of(row, panel, found, reference=digest.bound is not None)


def _privacy(comparison: Comparison, name: str) -> Figure | None:
    """What is of use against what is protected: the second and the first of the declared headline metrics."""
    headline = {metric: key for key, metric in _declared(comparison)}
    if len(headline) < _FEWEST:
        return None
    protection, use = headline
    points = list(_points(comparison, {headline[protection]: "y", headline[use]: "x"}))
    if not _worth_drawing(points):
        return None
    title = f"{comparison.title}: use and protection"
    axes = privacy_axes(points, use=use, protection=protection)
    draw = partial(privacy_scatter, points, title=title, use=use, protection=protection)
    return Figure(f"trade_{name}", scatter_words(points, *axes, title=title), draw)


def _declared(comparison: Comparison) -> list[tuple[MetricKey, str]]:
    first = comparison.digests[0].info.headline_metrics[:_FEWEST]
    return [(key, name) for key, name in comparison.headline().items() if key[1] in first][:_FEWEST]


def _points(comparison: Comparison, axes: Mapping[MetricKey, str]) -> Iterator[Point]:
    for row, digest in zip(comparison.row_names(), comparison.digests, strict=True):
        values = {axis: _mean(digest, key) for key, axis in axes.items()}
        if values["x"] is not None and values["y"] is not None:
            yield Point(row, values["x"], values["y"], digest.bound is not None)


def _mean(digest: Digest, key: MetricKey) -> float | None:
    found = metric_of(digest, key)
    return None if found is None else found.summary.mean


def _cost(comparison: Comparison, name: str) -> Figure | None:
    """The first headline metric against money, or against recalled tokens where nothing was paid."""
    headline = list(comparison.headline().items())
    if not headline:
        return None
    key, metric = headline[0]
    costs, unit = _costs(comparison)
    rows = zip(comparison.row_names(), comparison.digests, costs, strict=True)
    found = ((row, digest, cost, _mean(digest, key)) for row, digest, cost in rows)
    points = [
        Point(row, cost, mean, digest.bound is not None)
        for row, digest, cost, mean in found
        if cost is not None and mean is not None
    ]
    if not _worth_drawing(points):
        return None
    title = f"{comparison.title}: score and cost"
    axes = cost_axes(points, metric=metric, cost=unit)
    draw = partial(cost_scatter, points, title=title, metric=metric, cost=unit)
    return Figure(f"cost_{name}", scatter_words(points, *axes, title=title), draw)


def _costs(comparison: Comparison) -> tuple[list[float | None], str]:
    """What replies from a cache would have cost counts: whoever is played second finds more in it."""
    paid = [None if digest.unreported else total(digest.spent).full_cost_usd for digest in comparison.digests]
    if any(paid):
        return paid, "cost without cache, USD"
    return [digest.recalling.tokens.p50 for digest in comparison.digests], "recalled tokens, p50"


def _worth_drawing(points: Sequence[Point]) -> bool:
    """Whether two competitors are apart."""
    return len({(point.x, point.y) for point in points if not point.reference}) >= _FEWEST
