"""Which differences could be noise, in plain words, without claiming a test that was not made."""

from collections.abc import Iterator

from heams.reporting.comparison import Comparison, MetricKey, metric_of
from heams.reporting.figures import score
from heams.reporting.markdown import Markdown, bold, escape, joined
from heams.reporting.metrics import MetricSummary
from heta_framework.common.statistics import Interval

CAVEAT = (
    "Intervals that overlap do not show that two systems are equal, and intervals that do not overlap are no test "
    "either: the systems answered the same questions, so only a comparison question by question can tell."
)


def overlaps(comparison: Comparison) -> Iterator[Markdown]:
    """For each headline metric: the competitor with the highest mean, and whose intervals overlap with its own."""
    for key, name in comparison.headline().items():
        named = _named(comparison, key)
        if len(named) > 1:
            yield Markdown(f"{bold(name)}: {_sentence(named)}")


def _named(comparison: Comparison, key: MetricKey) -> list[tuple[str, MetricSummary]]:
    rows = zip(comparison.row_names(), comparison.digests, strict=True)
    found = [(name, metric_of(digest, key)) for name, digest in rows if digest.bound is None]
    return [(name, metric) for name, metric in found if metric is not None and metric.summary.n]


def _sentence(named: list[tuple[str, MetricSummary]]) -> str:
    best_name, best = max(named, key=lambda entry: entry[1].summary.mean or 0.0)
    others = [entry for entry in named if entry[0] != best_name]
    parts = [f"highest is {escape(best_name)} ({score(best.summary.mean)})"]
    without = [name for name, metric in others if _both(best, metric) is None]
    overlapping = [name for name, metric in others if _overlap(best, metric)]
    apart = [name for name, metric in others if _both(best, metric) and not _overlap(best, metric)]
    if overlapping:
        parts.append(f"its interval overlaps with {joined(overlapping)}")
    if apart:
        parts.append(f"its interval does not overlap with {joined(apart)}")
    if without:
        parts.append(f"there is no interval to set beside {joined(without)}")
    return "; ".join(parts) + "."


def _both(one: MetricSummary, other: MetricSummary) -> tuple[Interval, Interval] | None:
    left, right = one.summary.interval, other.summary.interval
    return (left, right) if left is not None and right is not None else None


def _overlap(one: MetricSummary, other: MetricSummary) -> bool:
    both = _both(one, other)
    return both is not None and both[0].low <= both[1].high and both[1].low <= both[0].high
