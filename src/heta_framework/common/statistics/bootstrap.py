"""Intervals of means by resampling, for independent values and for values that come in clusters.

Values of one cluster (the questions about one history) are alike, so they count for less than as many independent
ones. Whole clusters are resampled, and the mean of a resample is the ratio of its sum to its size (A. C. Davison,
D. V. Hinkley, "Bootstrap Methods and their Application", 1997, section 3.8). Independent values are clusters of one.

Percentile intervals of few units are too narrow. They are widened to what Student's distribution asks for (the
"expanded percentile interval" of T. C. Hesterberg, "What Teachers Should Know About the Bootstrap", The American
Statistician 69, 2015), which matters for the ten histories of a benchmark and vanishes for a thousand. Clusters of
unequal size count as fewer there, as sum(n)^2 / sum(n^2) (the effective number of L. Kish, "Survey Sampling", 1965),
because the large ones decide: without that, ten of 40 to 400 questions are covered a percentage point less often.

Resampling thousands of units reproduces the t interval, slowly: from 2,000 units on, that one is returned. All results
are the same for any order of the values.
"""

from collections.abc import Iterator, Sequence
from math import ldexp, sqrt

import numpy as np
from numpy.typing import NDArray

from heta_framework.common.statistics.checks import Floats, checked_confidence, checked_values
from heta_framework.common.statistics.clusters import cluster_sums
from heta_framework.common.statistics.interval import Interval

_UNITS_FOR_T = 2_000
_DRAWS_AT_ONCE = 500_000


class Draws:
    """How often each resample holds each unit, kept for intervals of as many units: many scores of the same cases.

    Intervals are those that are drawn without it, to the last digits of a float, in a fraction of the time.
    """

    def __init__(self) -> None:
        self._drawn_for: tuple[int, int, int] | None = None
        self._counts = np.zeros((0, 0))

    def counts(self, units: int, resamples: int, seed: int) -> Floats:
        """One row a resample, one column a unit."""
        if self._drawn_for != (units, resamples, seed):
            rows = [
                np.bincount((drawn + units * np.arange(len(drawn))[:, None]).ravel(), minlength=drawn.size)
                for drawn in _drawn(units, resamples, seed)
            ]
            self._counts = np.concatenate(rows).reshape(resamples, units).astype(np.float64)
            self._drawn_for = (units, resamples, seed)
        return self._counts


def mean_interval(
    values: Sequence[float],
    confidence: float = 0.95,
    *,
    resamples: int = 2000,
    seed: int = 0,
    draws: Draws | None = None,
) -> Interval | None:
    """Return the interval of the mean of independent values; None for a single one, which says nothing of the spread.

    `draws` is shared between intervals of the same cases.

    Raises ValueError for no values, values that are not finite, a confidence outside (0, 1), resamples below 1.
    """
    units = np.sort(checked_values(values))
    return _interval(units, np.ones_like(units), confidence, resamples, seed, draws)


def clustered_interval(
    values: Sequence[float],
    clusters: Sequence[str],
    *,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    draws: Draws | None = None,
) -> Interval | None:
    """Return the interval of the mean of values that come in clusters; `clusters` names the cluster of each value.

    None where all values come from one cluster, because how clusters differ cannot be seen then. `draws` is shared
    between intervals of the same cases.

    Raises ValueError for no values, values that are not finite, another number of names than of values, a confidence
    outside (0, 1), resamples below 1.
    """
    sums, sizes = cluster_sums(checked_values(values), clusters)
    return _interval(sums, sizes, confidence, resamples, seed, draws, kind="clustered ")


def _interval(
    sums: Floats, sizes: Floats, confidence: float, resamples: int, seed: int, draws: Draws | None, kind: str = ""
) -> Interval | None:
    tail = (1 - checked_confidence(confidence)) / 2
    if len(sums) == 1:
        return None
    if len(sums) >= _UNITS_FOR_T:
        return Interval(*_t_bounds(sums, sizes, tail), f"{kind}t")
    if draws is None:
        means = _resampled_means(sums, sizes, _drawn(len(sums), resamples, seed))
    else:
        counts = draws.counts(len(sums), resamples, seed)
        means = counts @ sums / (counts @ sizes)
    tail = _expanded(tail, float(sizes.sum() ** 2 / np.square(sizes).sum()))
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(low), float(high), f"{kind}bootstrap")


def _drawn(units: int, resamples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """The units of each resample, one row each, some rows at a time."""
    random = np.random.default_rng(seed)
    rows = max(1, _DRAWS_AT_ONCE // units)
    for start in range(0, resamples, rows):
        yield random.integers(units, size=(min(rows, resamples - start), units))


def _resampled_means(sums: Floats, sizes: Floats, drawn: Iterator[NDArray[np.int64]]) -> Floats:
    return np.concatenate([sums[rows].sum(axis=1) / sizes[rows].sum(axis=1) for rows in drawn])


def _expanded(tail: float, units: float) -> float:
    """Return the share to cut off at each end so that the percentiles reach as far as Student's interval."""
    from scipy.special import ndtr, stdtrit

    return float(ndtr(sqrt(units / (units - 1)) * stdtrit(units - 1, tail)))


def _t_bounds(sums: Floats, sizes: Floats, tail: float) -> tuple[float, float]:
    """Return the t interval of a ratio, linearised (W. G. Cochran, "Sampling Techniques", 3rd ed., 1977, chapter 6)."""
    from scipy.special import stdtrit

    units, mean = len(sums), sums.sum() / sizes.sum()
    residuals = sums - mean * sizes
    exponent = int(np.frexp(np.abs(residuals).max())[1])  # squares of what is below 1 overflow for no size of value
    spread = sqrt(units / (units - 1) * np.square(np.ldexp(residuals, -exponent)).sum())
    deviation = ldexp(spread, exponent) / sizes.sum()
    reach = deviation * stdtrit(units - 1, 1 - tail)
    smallest, largest = np.min(sums / sizes), np.max(sums / sizes)
    return float(max(mean - reach, smallest)), float(min(mean + reach, largest))
