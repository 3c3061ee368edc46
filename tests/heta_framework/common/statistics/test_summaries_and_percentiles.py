"""The summary picks the interval that suits the values; percentiles are linear."""

import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.statistics import (
    Summary,
    clustered_interval,
    mean_interval,
    percentile,
    summarise,
    wilson_interval,
)


def test_zero_and_one_without_clusters_get_wilson() -> None:
    assert summarise([1, 0, 1.0, 0.0, True]) == Summary(5, 0.6, wilson_interval(3, 5))


def test_clusters_of_one_do_not_count_as_clusters() -> None:
    assert summarise([1, 0, 1], ["a", "b", "c"]) == summarise([1, 0, 1])
    assert summarise([0.5, 0.2, 1], ["a", "b", "c"]) == summarise([0.5, 0.2, 1])


def test_other_values_get_a_bootstrap() -> None:
    assert summarise([0.1, 0.2, 0.9]).interval == mean_interval([0.1, 0.2, 0.9])


@pytest.mark.parametrize("values", [[1, 0, 1, 1], [0.25, 0.5, 1, 0]])
def test_any_shared_cluster_makes_it_clustered(values: list[float]) -> None:
    clusters = ["a", "b", "c", "c"]
    summary = summarise(values, clusters)
    assert summary.interval == clustered_interval(values, clusters)
    assert summary.interval is not None
    assert summary.interval.method == "clustered bootstrap"


@pytest.mark.parametrize(("value", "successes"), [(1, 3), (0, 0)])
def test_unanimous_clusters_are_not_certain(value: int, successes: int) -> None:
    interval = summarise([value] * 30, ["a", "b", "c"] * 10).interval
    expected = wilson_interval(successes, 3)
    assert interval is not None
    assert (interval.low, interval.high, interval.method) == (expected.low, expected.high, "wilson over clusters")


@pytest.mark.parametrize(
    ("values", "clusters", "summary"),
    [
        ([], None, Summary(0, None, None, "there are no values")),
        ([], [], Summary(0, None, None, "there are no values")),
        ([0.5], None, Summary(1, 0.5, None, "there is a single value")),
        ([1], None, Summary(1, 1.0, None, "there is a single value")),
        ([0], ["a"], Summary(1, 0.0, None, "there is a single value")),
        ([0.5, 0.5], None, Summary(2, 0.5, None, "all values are the same")),
        ([0.1] * 2_500, None, Summary(2_500, 0.1, None, "all values are the same")),
        ([0.5] * 4, list("aabb"), Summary(4, 0.5, None, "all clusters have the same mean", 2)),
        ([0, 1, 1, 0], list("aabb"), Summary(4, 0.5, None, "all clusters have the same mean", 2)),
        ([0.5, 1], ["a", "a"], Summary(2, 0.75, None, "all values come from one cluster", 1)),
        ([1, 1], ["a", "a"], Summary(2, 1.0, None, "all values come from one cluster", 1)),
    ],
)
def test_no_interval_has_a_reason(values: list[float], clusters: list[str] | None, summary: Summary) -> None:
    assert summarise(values, clusters) == summary


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.1, 1 / 3, 0.5, 1.0]), st.sampled_from("abc")), min_size=1, max_size=12),
    st.booleans(),
)
def test_no_interval_claims_certainty(rows: list[tuple[float, str]], clustered: bool) -> None:
    values, clusters = zip(*rows, strict=True)
    summary = summarise(values, clusters if clustered else None)
    assert (summary.interval is None) == (summary.reason is not None)
    if summary.interval is not None:
        assert summary.interval.high - summary.interval.low > 1e-6


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_values_that_are_not_finite_are_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="not finite"):
        summarise([1, bad])
    with pytest.raises(ValueError, match="not finite"):
        percentile([1, bad], 50)


def test_each_value_needs_a_cluster() -> None:
    with pytest.raises(ValueError, match="found 2 cluster names for 1 values"):
        summarise([0.1], ["a", "b"])


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_the_mean_is_exact(values: list[float]) -> None:
    exact = sum(map(Fraction, values), Fraction(0)) / len(values)
    assert summarise(values).mean == pytest.approx(float(exact), rel=1e-15, abs=1e-300)


@pytest.mark.parametrize(("q", "expected"), [(0, 1), (50, 2.5), (95, 3.85), (100, 4), (25, 1.75)])
def test_percentiles_by_hand(q: float, expected: float) -> None:
    assert percentile([4, 1, 3, 2], q) == pytest.approx(expected)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1), st.floats(0, 100))
def test_percentiles_lie_within_the_values(values: list[float], q: float) -> None:
    assert min(values) <= percentile(values, q) <= max(values)
    assert percentile(values, 50) == pytest.approx(np.median(values))


@pytest.mark.parametrize(("values", "q"), [([], 50), ([1], -1), ([1], 101), ([1], math.nan)])
def test_impossible_percentiles_are_refused(values: list[float], q: float) -> None:
    with pytest.raises(ValueError, match=r"found (no values|the percentile)"):
        percentile(values, q)


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("heta_framework.common", ("numpy", "scipy", "pydantic", "yaml")),
        ("heta_framework.common.config", ("numpy", "scipy")),
        ("heta_framework.common.statistics", ("scipy",)),
    ],
)
def test_imports_stay_light(module: str, unwanted: tuple[str, ...]) -> None:
    code = f"import sys, {module}; print(*sorted({set(unwanted)!r} & sys.modules.keys()))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == ""
