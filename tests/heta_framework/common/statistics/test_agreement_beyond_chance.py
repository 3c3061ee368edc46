"""Kappa and its interval by hand, against published values and by simulation."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.judge import cohens_kappa
from heta_framework.common.statistics import cohen_kappa, cohen_kappa_interval

_tables = st.integers(2, 4).flatmap(
    lambda labels: st.lists(
        st.lists(st.integers(0, 30), min_size=labels, max_size=labels), min_size=labels, max_size=labels
    )
)


@pytest.mark.parametrize(
    ("table", "kappa"),
    [
        ([[20, 5], [10, 15]], 0.4),
        ([[45, 15], [25, 15]], 6 / 46),
        ([[1, 1], [1, 1]], 0),
        ([[0, 3], [3, 0]], -1),
        ([[5, 0, 0], [0, 1, 0], [0, 0, 2]], 1),
        ([[9, 0], [1, 0]], 0),
    ],
)
def test_cases_by_hand(table: list[list[int]], kappa: float) -> None:
    assert cohen_kappa(table) == pytest.approx(kappa)


@pytest.mark.parametrize("table", [[], [[4]], [[0, 0], [0, 0]], [[7, 0], [0, 0]]])
def test_it_is_undefined_where_chance_explains_all(table: list[list[int]]) -> None:
    assert cohen_kappa(table) is None
    assert cohen_kappa_interval(table) is None


def test_three_labels_by_two_psychiatrists() -> None:
    """The example of Fleiss, Cohen and Everitt (1969): 200 people, kappa 0.429, variance 0.002885."""
    table = [[106, 10, 4], [22, 28, 10], [2, 12, 6]]
    found = cohen_kappa_interval(table)
    assert cohen_kappa(table) == pytest.approx(3 / 7)
    assert found is not None
    assert (found.high - found.low) / 2 == pytest.approx(NormalDist().inv_cdf(0.975) * math.sqrt(0.002885), rel=1e-3)
    assert found.method == "fleiss-cohen-everitt"


def test_perfect_agreement_is_not_certain() -> None:
    assert cohen_kappa_interval([[5, 0], [0, 7]]) is None


@given(_tables)
def test_it_is_the_kappa_of_the_labels_behind_the_table(table: list[list[int]]) -> None:
    pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    if pairs:
        expected = cohens_kappa([str(i) for i, _ in pairs], [str(j) for _, j in pairs])
        assert cohen_kappa(table) == (None if expected is None else pytest.approx(expected))


@given(_tables)
def test_raters_and_the_order_of_labels_can_be_swapped(table: list[list[int]]) -> None:
    mirrored, turned = [list(column) for column in zip(*table, strict=True)], [row[::-1] for row in table[::-1]]
    kappa, interval = cohen_kappa(table), cohen_kappa_interval(table)
    assert kappa == cohen_kappa(mirrored) == cohen_kappa(turned)
    for other in (cohen_kappa_interval(mirrored), cohen_kappa_interval(turned)):
        assert (interval is None) == (other is None)
        if kappa is not None and interval is not None and other is not None:
            assert -1 <= interval.low <= kappa <= interval.high <= 1
            assert (interval.low, interval.high) == pytest.approx((other.low, other.high))


def test_the_interval_covers() -> None:
    shares = np.array([[0.5, 0.1], [0.15, 0.25]])
    truth = cohen_kappa((shares * 100).astype(int).tolist())
    tables = np.random.default_rng(6).multinomial(300, shares.ravel(), size=1_000).reshape(-1, 2, 2).tolist()
    intervals = [cohen_kappa_interval(table) for table in tables]
    assert truth is not None
    covered = sum(found is not None and found.low <= truth <= found.high for found in intervals)
    assert 0.93 <= covered / len(tables) <= 0.97


@pytest.mark.parametrize("table", [[[1, 2]], [[1, 2], [3]], [[1], [2]]])
def test_tables_that_are_not_square_are_refused(table: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="a square table is needed"):
        cohen_kappa(table)


def test_negative_counts_and_impossible_confidences_are_refused() -> None:
    with pytest.raises(ValueError, match="negative count"):
        cohen_kappa([[1, -2], [3, 4]])
    with pytest.raises(ValueError, match="must lie between 0 and 1"):
        cohen_kappa_interval([[1, 2], [3, 4]], 95)
