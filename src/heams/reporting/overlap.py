"""Which differences could be noise, in plain words, without claiming a test that was not made."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from heams.reporting.comparison import Comparison, MetricKey, metric_of
from heams.reporting.figures import count, score
from heams.reporting.markdown import Markdown, bold, escape, joined
from heams.reporting.metrics import MetricSummary
from heta_framework.common.statistics import Interval

CAVEAT = (
    "Intervals that overlap do not show that two systems are equal, and intervals that do not overlap are no test "
    "either: the systems answered the same questions, so only a comparison question by question can tell."
)


class _Row(NamedTuple):
    name: str
    metric: MetricSummary
    complete: bool


def overlaps(comparison: Comparison) -> Iterator[Markdown]:
    """For each headline metric: the competitor with the highest mean, and whose intervals overlap with its own.

    Only complete experiments with the same n are ranked; elsewhere it says why there is no ranking.
    """
    for key, name in comparison.headline().items():
        rows = _rows(comparison, key)
        if len(rows) > 1:
            yield Markdown(f"{bold(name)}: {_ranking(rows)}")


def _rows(comparison: Comparison, key: MetricKey) -> list[_Row]:
    """The competitors that have a value."""
    found = zip(comparison.row_names(), comparison.digests, strict=True)
    rows = [(name, metric_of(digest, key), digest.progress.complete) for name, digest in found if digest.bound is None]
    return [_Row(name, metric, complete) for name, metric, complete in rows if metric is not None and metric.summary.n]


def _ranking(rows: Sequence[_Row]) -> str:
    complete = [row for row in rows if row.complete]
    partial = [row.name for row in rows if not row.complete]
    if len(complete) < 2:
        return f"no ranking, because there are no results of a whole run of {joined(partial)}."
    if len({row.metric.summary.n for row in complete}) > 1:
        sizes = joined(f"{row.name}: {count(row.metric.summary.n)}" for row in complete)
        return f"no ranking, because n is not the same ({sizes})."
    left = f"; not ranked, because their runs are not complete: {joined(partial)}" if partial else ""
    return f"{_sentence(complete)}{left}."


def _sentence(rows: Sequence[_Row]) -> str:
    best = max(rows, key=lambda row: row.metric.summary.mean or 0.0)
    equal = [row.name for row in rows if row.metric.summary.mean == best.metric.summary.mean]
    others = [(row.name, row.metric) for row in rows if row.name not in equal]
    parts = [f"highest {'are' if len(equal) > 1 else 'is'} {_listed(equal)} ({score(best.metric.summary.mean)})"]
    whose = f"the interval of {escape(best.name)}" if len(equal) > 1 else "its interval"
    without = [name for name, metric in others if _both(best.metric, metric) is None]
    overlapping = [name for name, metric in others if _overlap(best.metric, metric)]
    apart = [name for name, metric in others if _both(best.metric, metric) and not _overlap(best.metric, metric)]
    if overlapping:
        parts.append(f"{whose} overlaps with {joined(overlapping)}")
    if apart:
        parts.append(f"{whose} does not overlap with {joined(apart)}")
    if without:
        parts.append(f"there is no interval to set beside {joined(without)}")
    return "; ".join(parts)


def _listed(names: Sequence[str]) -> Markdown:
    *before, last = names
    return joined([joined(before), last], " and ") if before else escape(last)


def _both(one: MetricSummary, other: MetricSummary) -> tuple[Interval, Interval] | None:
    left, right = one.summary.interval, other.summary.interval
    return (left, right) if left is not None and right is not None else None


def _overlap(one: MetricSummary, other: MetricSummary) -> bool:
    both = _both(one, other)
    return both is not None and both[0].low <= both[1].high and both[1].low <= both[0].high
