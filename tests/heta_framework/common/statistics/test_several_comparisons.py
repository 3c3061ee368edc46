"""Holm's adjustment by hand and by its definition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.statistics import holm


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([], []),
        ([0.04], [0.04]),
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.02, 0.02, 0.9], [0.06, 0.06, 0.9]),
        ([0.5, 1, 0], [1, 1, 0]),
    ],
)
def test_cases_by_hand(p_values: list[float], adjusted: list[float]) -> None:
    assert holm(p_values) == pytest.approx(adjusted)


@given(st.lists(st.floats(0, 1), max_size=12), st.floats(0.001, 0.999))
def test_significant_are_those_that_the_steps_reject(p_values: list[float], level: float) -> None:
    rejected = 0
    for p in sorted(p_values):
        if (len(p_values) - rejected) * p > level:
            break
        rejected += 1
    adjusted = holm(p_values)
    assert sum(p <= level for p in adjusted) == rejected
    assert all(p <= found <= 1 for p, found in zip(p_values, adjusted, strict=True))


@given(st.lists(st.floats(0, 1), max_size=12))
def test_the_order_does_not_matter(p_values: list[float]) -> None:
    assert sorted(holm(p_values)) == holm(sorted(p_values))
    assert holm(p_values[::-1]) == holm(p_values)[::-1]


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan")])
def test_impossible_p_values_are_refused(bad: float) -> None:
    with pytest.raises(ValueError, match=r"must lie in \[0, 1\]"):
        holm([0.5, bad])
