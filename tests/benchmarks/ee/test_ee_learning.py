"""What streams show of learning, against numbers worked out by hand."""

from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from heams.benchmarks.ee.course import third_of
from heams.benchmarks.ee.learning import (
    PlayedVisit,
    VisitKey,
    Visits,
    accuracy,
    gain,
    mcnemar,
    order_spread,
    retention,
    slope,
)


def _visits(*orders: str, exposure: str = "first", stream: str = "s") -> Visits:
    """Visits of orders that are written as outcomes: ``110`` solves the problems 0 and 1, not 2."""
    return {
        VisitKey(f"{stream}{order}", step): PlayedVisit(
            stream, str(order), f"{stream}/{step}", exposure, third_of(step, len(solved)), float(mark)
        )
        for order, solved in enumerate(orders)
        for step, mark in enumerate(solved)
    }


def test_slope_is_the_last_third_minus_the_first() -> None:
    assert slope(_visits("001011")) == pytest.approx(1.0)
    assert slope(_visits("110000", "110011")) == pytest.approx(-0.5)
    assert slope({}) is None


def test_spread_is_pooled_over_streams_and_needs_three_orders() -> None:
    assert order_spread(_visits("11", "10")) is None
    assert order_spread(_visits("11", "10", "00")) == pytest.approx(0.5)
    both = {**_visits("11", "10", "00"), **_visits("10", "10", "01", stream="t")}
    assert order_spread(both) == pytest.approx(sqrt((0.25 + 0) / 2))
    assert order_spread({}) is None


def test_gain_is_paired_and_counts_problems_once() -> None:
    found = gain(_visits("1101", "1101"), _visits("1010", "1000"))
    assert found.difference.mean == pytest.approx((0 + 1 - 1 + 1 + 0 + 1 + 0 + 1) / 8)
    assert (found.better, found.worse) == (2, 1)
    assert found.negative_transfer == pytest.approx(1 / 8)
    assert found.p == 1.0
    alike = gain(_visits("10"), _visits("10"))
    assert (alike.difference.mean, alike.difference.interval) == (0, None)


def test_gain_leaves_out_what_only_one_of_them_played() -> None:
    found = gain(_visits("11", "11"), _visits("10"))
    assert (found.difference.n, found.difference.mean) == (2, 0.5)
    assert gain(_visits("1"), {}).negative_transfer is None


def test_retention_compares_a_problem_with_itself_in_the_same_order() -> None:
    first, again = _visits("100", "000"), _visits("110", "001", exposure="repeat")
    later = {VisitKey(key.sample, key.step + 3): visit for key, visit in again.items()}
    assert retention({**first, **later}).mean == pytest.approx((0 + 1 + 0 + 0 + 0 + 1) / 6)
    assert retention(first).mean is None


def test_intervals_resample_problems() -> None:
    assert accuracy(_visits("10", "10", "10").values()).clusters == 2


@settings(max_examples=30)
@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_exact_binomial_test(better: int, worse: int) -> None:
    expected = binomtest(better, better + worse).pvalue if better + worse else 1.0
    assert mcnemar(better, worse) == pytest.approx(expected)
