"""Wilson's interval against scipy and by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from heta_framework.common.statistics import wilson_interval


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(("successes", "n"), [(0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (841, 1540), (1, 100_000)])
def test_it_equals_scipy(successes: int, n: int, confidence: float) -> None:
    expected = binomtest(successes, n).proportion_ci(confidence, method="wilson")
    found = wilson_interval(successes, n, confidence)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert found.method == "wilson"


def test_a_case_by_hand() -> None:
    """With z = 2 (95.45 %), 1 of 2: centre 1/2, reach 2/3 * sqrt(1/8 + 1/4)."""
    found = wilson_interval(1, 2, 0.9544997361036416)
    assert (found.low, found.high) == pytest.approx((0.5 - 0.375**0.5 * 2 / 3, 0.5 + 0.375**0.5 * 2 / 3))


@given(st.integers(0, 500), st.integers(0, 500), st.floats(0.01, 0.999))
def test_it_lies_in_zero_to_one_around_the_share(successes: int, failures: int, confidence: float) -> None:
    n = successes + failures + 1
    found = wilson_interval(successes, n, confidence)
    assert 0 <= found.low <= successes / n <= found.high <= 1


@pytest.mark.parametrize(("successes", "n"), [(0, 0), (-1, 5), (6, 5)])
def test_impossible_counts_are_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match=f"found {successes} successes in {n} trials"):
        wilson_interval(successes, n)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, float("nan")])
def test_impossible_confidences_are_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="it must lie between 0 and 1"):
        wilson_interval(1, 2, confidence)
