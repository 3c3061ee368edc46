"""Resampled intervals against scipy, full enumeration and simulation."""

import math
from collections.abc import Callable
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from heta_framework.common.statistics import Interval, clustered_interval, mean_interval

VALUES = [0.1, 0.9, 0.4, 0.4, 1.0, 0.0, 0.3, 0.8, 0.7, 0.2, 0.55, 0.05]


def bounds(interval: Interval | None) -> tuple[float, float]:
    assert interval is not None
    return interval.low, interval.high


def expanded_confidence(units: float, confidence: float = 0.95) -> float:
    reach = stats.t.ppf((1 + confidence) / 2, units - 1) * math.sqrt(units / (units - 1))
    return float(1 - 2 * stats.norm.cdf(-reach))


def test_a_plain_interval_equals_scipys_at_the_expanded_level() -> None:
    level = expanded_confidence(len(VALUES))
    peer = stats.bootstrap((VALUES,), np.mean, n_resamples=50_000, confidence_level=level, method="percentile", rng=1)
    found = mean_interval(VALUES, resamples=50_000)
    assert bounds(found) == pytest.approx(tuple(peer.confidence_interval), abs=0.005)


def test_three_clusters_equal_all_their_27_resamples() -> None:
    clusters = {"a": [0.0, 0.0, 1.0], "b": [1.0], "c": [0.0, 1.0, 1.0, 1.0]}
    means = [
        sum(sum(clusters[name]) for name in drawn) / sum(len(clusters[name]) for name in drawn)
        for drawn in product("abc", repeat=3)
    ]
    confidence = 0.6
    tail = (1 - expanded_confidence(3, confidence)) / 2
    expected = np.quantile(np.repeat(means, 1000), [tail, 1 - tail])
    values = [value for members in clusters.values() for value in members]
    names = [name for name, members in clusters.items() for _ in members]
    found = clustered_interval(values, names, confidence=confidence, resamples=20_000)
    assert bounds(found) == pytest.approx(tuple(expected))


def test_two_clusters_reach_from_one_mean_to_the_other() -> None:
    found = clustered_interval([0.0, 0.5, 1.0, 1.0, 0.7], ["a", "a", "b", "b", "b"])
    assert bounds(found) == pytest.approx((0.25, 0.9))


def test_unequal_clusters_are_widened_as_fewer_equal_ones_would_be() -> None:
    """Sizes 8, 1, 1, 1 and 1 are worth 12 * 12 / 68 clusters; the percentiles are those of all 5^5 resamples."""
    sums, sizes = np.array([4.0, 0.9, 0.1, 0.6, 0.2]), np.array([8.0, 1.0, 1.0, 1.0, 1.0])
    drawn = np.array(list(product(range(5), repeat=5)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    tail = (1 - expanded_confidence(144 / 68, 0.6)) / 2
    values = [0.5] * 8 + [0.9, 0.1, 0.6, 0.2]
    found = clustered_interval(values, [*"aaaaaaaabcde"], confidence=0.6, resamples=50_000)
    assert bounds(found) == pytest.approx(tuple(np.quantile(means, [tail, 1 - tail])), abs=0.02)


def test_clusters_of_one_are_independent_values() -> None:
    values = sorted(VALUES)
    names = [f"{number:02}" for number in range(len(values))]
    assert bounds(clustered_interval(values, names)) == bounds(mean_interval(values))


def test_many_independent_values_get_the_t_interval() -> None:
    values = np.random.default_rng(3).beta(2, 5, size=2500)
    expected = stats.t.interval(0.9, len(values) - 1, values.mean(), stats.sem(values))
    found = mean_interval(values.tolist(), 0.9)
    assert found is not None
    assert found.method == "t"
    assert bounds(found) == pytest.approx(tuple(expected), rel=1e-9)


def test_values_of_any_size_have_the_same_interval_in_their_unit() -> None:
    values = [0.0, 1.0, 0.25, -0.5] * 600
    small, large = mean_interval(values), mean_interval([value * 2.0**1000 for value in values])
    assert small is not None
    assert large is not None
    assert (large.low, large.high) == (small.low * 2.0**1000, small.high * 2.0**1000)


def test_many_clusters_get_the_interval_that_resampling_gives() -> None:
    random = np.random.default_rng(5)
    centres = random.uniform(size=2500)
    names = [f"c{number}" for number in range(2500) for _ in range(number % 3 + 1)]
    values = [float(centres[number]) for number in range(2500) for _ in range(number % 3 + 1)]
    sums = np.array([centres[number] * (number % 3 + 1) for number in range(2500)])
    sizes = np.array([number % 3 + 1 for number in range(2500)])
    drawn = random.integers(2500, size=(2000, 2500))
    expected = np.quantile(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1), [0.025, 0.975])
    found = clustered_interval(values, names)
    assert found is not None
    assert found.method == "clustered t"
    assert bounds(found) == pytest.approx(tuple(expected), abs=0.001)


def test_one_unit_has_no_interval() -> None:
    assert mean_interval([0.4]) is None
    assert clustered_interval([0.4, 0.6], ["a", "a"]) is None


def test_a_seed_names_one_result() -> None:
    assert mean_interval(VALUES, seed=1) == mean_interval(VALUES, seed=1)
    assert mean_interval(VALUES, seed=1) != mean_interval(VALUES, seed=2)


_rows = st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abcd")), min_size=2, max_size=20)


@given(_rows, st.randoms())
def test_the_order_of_rows_does_not_matter(rows: list[tuple[float, str]], random: Random) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert mean_interval([value for value, _ in rows], resamples=50) == mean_interval(
        [value for value, _ in shuffled], resamples=50
    )
    assert clustered_interval(*zip(*rows, strict=True), resamples=50) == clustered_interval(
        *zip(*shuffled, strict=True), resamples=50
    )


@given(_rows)
def test_bounds_lie_within_the_values(rows: list[tuple[float, str]]) -> None:
    values, clusters = zip(*rows, strict=True)
    for interval in (mean_interval(values, resamples=50), clustered_interval(values, clusters, resamples=50)):
        if interval is not None:
            assert min(values) - 1e-9 <= interval.low <= interval.high <= max(values) + 1e-9


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("method", [mean_interval, lambda values: clustered_interval(values, ["a"] * len(values))])
def test_values_that_are_not_finite_are_refused(bad: float, method: Callable[[list[float]], object]) -> None:
    with pytest.raises(ValueError, match="not finite"):
        method([0.5, bad])
    with pytest.raises(ValueError, match="found no values"):
        method([])


def test_each_value_needs_a_cluster() -> None:
    with pytest.raises(ValueError, match="found 1 cluster names for 2 values"):
        clustered_interval([0.1, 0.2], ["a"])


def coverage(simulations: int, histories: int) -> tuple[float, float]:
    """Return how often the clustered and the plain 95 % interval hold the true mean 0 when histories differ."""
    clustered = plain = 0
    for seed in range(simulations):
        random = np.random.default_rng(seed)
        sizes = random.integers(10, 40, size=histories)
        centres = random.normal(0, math.sqrt(0.3), size=histories)
        values = (np.repeat(centres, sizes) + random.normal(0, math.sqrt(0.7), size=sizes.sum())).tolist()
        names = np.repeat([f"history {number}" for number in range(histories)], sizes).tolist()
        low, high = bounds(clustered_interval(values, names, resamples=400, seed=seed))
        clustered += low <= 0 <= high
        low, high = bounds(mean_interval(values, resamples=200, seed=seed))
        plain += low <= 0 <= high
    return clustered / simulations, plain / simulations


def test_the_clustered_interval_covers_where_the_plain_one_does_not() -> None:
    clustered, plain = coverage(simulations=250, histories=10)
    assert 0.91 <= clustered <= 0.98
    assert plain < 0.65
