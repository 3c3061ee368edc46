"""McNemar's exact test against scipy and by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from heta_framework.common.statistics import mcnemar_exact


@given(st.integers(0, 3_000), st.integers(0, 3_000))
def test_it_equals_a_binomial_test(only_first: int, only_second: int) -> None:
    if only_first + only_second:
        expected = binomtest(only_first, only_first + only_second).pvalue
        assert mcnemar_exact(only_first, only_second) == pytest.approx(expected, rel=1e-9, abs=1e-250)


@pytest.mark.parametrize(
    ("only_first", "only_second", "p"),
    [(0, 0, 1), (1, 0, 1), (1, 1, 1), (5, 0, 2 / 32), (6, 0, 2 / 64), (1, 7, 18 / 256)],
)
def test_cases_by_hand(only_first: int, only_second: int, p: float) -> None:
    assert mcnemar_exact(only_first, only_second) == pytest.approx(p, rel=1e-14)


@given(st.integers(0, 500), st.integers(0, 500))
def test_it_does_not_matter_which_system_is_named_first(only_first: int, only_second: int) -> None:
    p = mcnemar_exact(only_first, only_second)
    assert 0 < p <= 1
    assert p == mcnemar_exact(only_second, only_first)


@pytest.mark.parametrize("counts", [(-1, 3), (3, -1)])
def test_negative_counts_are_refused(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="must be 0 or more"):
        mcnemar_exact(*counts)
