"""The chart in the report of one experiment: its headline metrics by criterion, or by another tag."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from heams.reporting.charts.figure import Figure
from heams.reporting.charts.intervals import Bar, interval_chart, interval_words
from heams.reporting.digest import Digest
from heams.reporting.metrics import MetricSummary, names

_PANELS = 3
Row = tuple[str, Sequence[MetricSummary]]
"""The name of a criterion, and every metric within it."""


def tag_figure(digest: Digest, tag: str, rows: Sequence[Row]) -> Figure | None:
    """The first headline metrics that have values in at least two rows; None where none has."""
    bars = list(_bars(digest, rows))
    if not bars:
        return None
    title = f"{digest.benchmark_name}, by {tag}"
    return Figure("scores", interval_words(bars, title=title), partial(interval_chart, bars, title=title))


def _bars(digest: Digest, rows: Sequence[Row]) -> Iterator[Bar]:
    name, bound = names(digest.metrics), digest.bound is not None
    panels = 0
    for chosen in digest.headline:
        key = chosen.evaluator, chosen.metric
        named = [(row, _named(metrics, key)) for row, metrics in rows]
        bars = [bar_of(row, name[key], found, reference=bound) for row, found in named if found is not None]
        if len(bars) > 1 and panels < _PANELS:
            panels += 1
            yield from bars


def _named(metrics: Iterable[MetricSummary], key: tuple[str, str]) -> MetricSummary | None:
    return next((metric for metric in metrics if (metric.evaluator, metric.metric) == key and metric.summary.n), None)


def bar_of(row: str, panel: str, metric: MetricSummary, *, reference: bool = False) -> Bar:
    """A metric that has values, as a bar."""
    summary = metric.summary
    low, high = (summary.interval.low, summary.interval.high) if summary.interval else (None, None)
    return Bar(row, summary.mean or 0.0, low, high, summary.n, panel, reference)
