"""What a reader of a table has to know of its intervals: their methods, why some are missing, how few histories."""

from collections.abc import Callable, Iterator, Mapping

from heams.reporting.comparison import Comparison, MetricKey, metric_of
from heams.reporting.metrics import MetricSummary
from heams.reporting.part_names import shared
from heams.reporting.wording import ENOUGH_CLUSTERS, NO_INTERVAL, TOO_NARROW, few_clusters

_Rows = Mapping[str, list[str]]


def methods(comparison: Comparison) -> str | None:
    """How the intervals of each headline metric were made; None where there are none."""
    parts = []
    for key, name in comparison.headline().items():
        by_method = _grouped(comparison, key, _method)
        if by_method:
            parts.append(f"{name}: {_methods(by_method)}")
    return f"Methods of the intervals: {'; '.join(parts)}." if parts else None


def missing(comparison: Comparison) -> Iterator[str]:
    """Which means have no interval, and why; single histories are the matter of ``histories``."""
    by_reason: dict[str, list[str]] = {}
    for key, name in comparison.headline().items():
        for reason, rows in _grouped(comparison, key, _reason).items():
            everywhere = 1 < len(rows) == len(comparison.digests)
            by_reason.setdefault(reason, []).append(name if everywhere else f"{name} of {', '.join(rows)}")
    for reason, means in by_reason.items():
        yield f"No interval for {'; '.join(means)}: {reason}."


def histories(comparison: Comparison) -> list[str]:
    """A caution where intervals rest on few histories, by row where rows rest on different numbers of them."""
    noun = shared(comparison.digests[0].results.config)
    rows = zip(comparison.row_names(), comparison.digests, strict=True)
    counts = {name: least for name, digest in rows if (least := _fewest(digest.headline)) is not None}
    if len(set(counts.values())) <= 1:
        return few_clusters((metric for digest in comparison.digests for metric in digest.headline), noun)
    lone = [name for name, number in counts.items() if number == 1]
    few = [f"{name}: {number}" for name, number in counts.items() if 1 < number < ENOUGH_CLUSTERS]
    alone = NO_INTERVAL.format(noun.one)
    said = [f"The questions of {', '.join(lone)} share one {noun.one}{alone}"] if lone else []
    return [*said, f"The questions share few {noun.several} ({', '.join(few)}). {TOO_NARROW}"] if few else said


def _fewest(metrics: list[MetricSummary]) -> int | None:
    found = [metric.summary.clusters for metric in metrics if metric.summary.clusters is not None]
    return min(found, default=None)


def _method(metric: MetricSummary) -> str | None:
    return metric.summary.interval.method if metric.summary.interval is not None else None


def _reason(metric: MetricSummary) -> str | None:
    return metric.summary.reason if metric.summary.n and metric.summary.clusters != 1 else None


def _grouped(comparison: Comparison, key: MetricKey, of: Callable[[MetricSummary], str | None]) -> _Rows:
    """The rows of a table by what ``of`` says of their metric; rows of which it says nothing are left out."""
    groups: dict[str, list[str]] = {}
    for name, digest in zip(comparison.row_names(), comparison.digests, strict=True):
        metric = metric_of(digest, key)
        said = of(metric) if metric is not None else None
        if said:
            groups.setdefault(said, []).append(name)
    return groups


def _methods(by_method: _Rows) -> str:
    if len(by_method) == 1:
        return next(iter(by_method))
    return ", ".join(f"{method} ({', '.join(rows)})" for method, rows in by_method.items())
