"""The mean of some scores, with the interval that suits them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, isclose

from heta_framework.common.statistics.bootstrap import Draws, clustered_interval, mean_interval
from heta_framework.common.statistics.checks import checked_values
from heta_framework.common.statistics.interval import Interval
from heta_framework.common.statistics.wilson import wilson_interval


@dataclass(frozen=True)
class Summary:
    """How many values there are, their mean and its 95 % interval.

    `mean` is None without values. Where `interval` is None, `reason` says why. `clusters` is the number of clusters
    that the interval rests on, None where values are independent: below about ten it covers less often than it says.
    """

    n: int
    mean: float | None
    interval: Interval | None
    reason: str | None = None
    clusters: int | None = None


def summarise(values: Sequence[float], clusters: Sequence[str] | None = None, draws: Draws | None = None) -> Summary:
    """Return the summary of `values`; `clusters` names the cluster of each (the history it is about).

    `draws` is shared between summaries of the same cases, which are quicker for it.

    The interval is clustered where any two values share a cluster, Wilson's for other values that are all 0 or 1, and
    a plain bootstrap otherwise. Where all values of several clusters are 0, or all are 1, resampling would claim
    certainty: each cluster then counts as one trial of Wilson's interval, which is the cautious reading. A single value
    has no interval, whatever it is, and neither have values or clusters that are all alike otherwise: resampling them
    gives an interval without width, which would be a claim of certainty too.

    Raises ValueError for values that are not finite and for another number of names than of values.
    """
    if clusters is not None and len(clusters) != len(values):
        raise ValueError(f"found {len(clusters)} cluster names for {len(values)} values; each value needs one")
    if len(values) == 0:
        return Summary(0, None, None, "there are no values")
    mean = fsum(checked_values(values)) / len(values)
    if len(values) == 1:
        return Summary(1, mean, None, "there is a single value")
    if clusters is not None and len(set(clusters)) < len(values):
        return _of_clusters(values, clusters, mean, draws)
    return _summary(len(values), mean, _of_independent(values, draws), "all values are the same")


def _of_clusters(values: Sequence[float], clusters: Sequence[str], mean: float, draws: Draws | None) -> Summary:
    count = len(set(clusters))
    if count == 1:
        return Summary(len(values), mean, None, "all values come from one cluster", count)
    if set(values) in ({0}, {1}):
        bounds = wilson_interval(count if values[0] else 0, count)
        interval: Interval | None = Interval(bounds.low, bounds.high, "wilson over clusters")
    else:
        interval = clustered_interval(values, clusters, draws=draws)
    return _summary(len(values), mean, interval, "all clusters have the same mean", count)


def _of_independent(values: Sequence[float], draws: Draws | None) -> Interval | None:
    if set(values) <= {0, 1}:
        return wilson_interval(sum(value == 1 for value in values), len(values))
    return mean_interval(values, draws=draws)


def _summary(n: int, mean: float, interval: Interval | None, alike: str, clusters: int | None = None) -> Summary:
    """A summary with ``interval`` unless that has no width: then ``alike`` says why there is none."""
    if interval is None or isclose(interval.low, interval.high, rel_tol=1e-12, abs_tol=1e-15):
        return Summary(n, mean, None, alike, clusters)
    return Summary(n, mean, interval, None, clusters)
