"""Words that several reports share."""

from collections.abc import Iterable

from heams.reporting.digest import Digest
from heams.reporting.figures import count, interval, plural, score
from heams.reporting.markdown import Markdown
from heams.reporting.metrics import MetricSummary
from heams.reporting.saved import part
from heta_framework.common.statistics import Summary

_MOST_DAMAGED = 5
ENOUGH_CLUSTERS = 10
"""From so many histories on, a clustered interval holds about what it says (simulated in the tests)."""


def budget_of(digest: Digest) -> str:
    """The recall budget, and that bounds are not held to it."""
    settings = part(digest.results.config, "settings")
    budget = settings.get("recall_budget")
    if not isinstance(budget, dict):
        return "unknown (not saved)"
    limits = [f"{budget[unit]} {unit}" for unit in ("items", "tokens") if budget.get(unit) is not None]
    words = " and ".join(limits) or "no limit"
    return f"{words}; not applied to a bound" if digest.bound is not None else words


def cell(metric: MetricSummary | None) -> Markdown:
    """Mean, interval, n and what was left out, in one cell; empty where there is no such metric."""
    if metric is None:
        return Markdown("")
    parts: list[str] = [mean(metric.summary)]
    parts.append(f"n {count(metric.summary.n)}")
    if metric.left_out:
        parts.append(f"{count(metric.left_out)} left out")
    if metric.zeroed:
        parts.append(f"{count(metric.zeroed)} counted as 0")
    return Markdown(", ".join(parts))


def damage_notice(digest: Digest) -> str:
    """Which lines of results could not be read, by file and line."""
    places = [str(damage) for damage in digest.damaged[:_MOST_DAMAGED]]
    if len(digest.damaged) > _MOST_DAMAGED:
        places.append(f"and {count(len(digest.damaged) - _MOST_DAMAGED)} more")
    one = len(digest.damaged) == 1
    return (
        f"{plural(len(digest.damaged), 'line')} {'is' if one else 'are'} unreadable and left out: {', '.join(places)}"
    )


def few_clusters(metrics: Iterable[MetricSummary]) -> list[str]:
    """A caution where intervals rest on few histories; empty where there are enough of them."""
    counts = [metric.summary.clusters for metric in metrics if metric.summary.clusters is not None]
    if not counts or min(counts) >= ENOUGH_CLUSTERS:
        return []
    if min(counts) == 1:
        return ["The questions share one history, so there is no interval: another history may give another mean."]
    return [
        f"The questions share {min(counts)} histories. Intervals from so few clusters are too narrow: they hold the "
        "true value less often than 95 % of the time."
    ]


def mean(summary: Summary) -> Markdown:
    """A mean with its interval where there is one."""
    bounds = f" {interval(summary.interval)}" if summary.interval is not None else ""
    return Markdown(score(summary.mean) + bounds)
