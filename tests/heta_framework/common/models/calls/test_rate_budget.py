"""A budget per minute is never exceeded in any minute, is nearly used up, and bears corrections."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.models.calls.rate_budget import WINDOW_S, RateBudget

PAUSES = st.lists(st.floats(0, 20), min_size=1, max_size=150)


def passages(budget: RateBudget, pauses: Sequence[float]) -> list[float]:
    """When requests pass of which each comes so long after the one before has passed."""
    now, passed = 0.0, []
    for pause in pauses:
        now += pause
        while (delay := budget.delay(1, now)) > 0:
            now += delay
        budget.take(1, now)
        passed.append(now)
    return passed


@given(st.integers(1, 100), PAUSES)
def test_no_minute_ever_sees_more_than_the_budget(per_minute: int, pauses: list[float]) -> None:
    times = passages(RateBudget(per_minute), pauses)
    for start in times:
        assert sum(start <= time < start + WINDOW_S for time in times) <= per_minute


@pytest.mark.parametrize("per_minute", [1, 7, 60, 500])
def test_who_always_wants_gets_nearly_all_of_it(per_minute: int) -> None:
    times = passages(RateBudget(per_minute), [0.0] * per_minute * 20)
    assert len(times) / (times[-1] + WINDOW_S / per_minute) * WINDOW_S >= 0.9 * per_minute


def test_a_request_larger_than_the_burst_waits_for_a_full_bucket_and_passes() -> None:
    budget = RateBudget(1_000)
    assert budget.delay(5_000, 0) == 0
    budget.take(5_000, 0)
    wait = budget.delay(1, 0)
    assert wait == pytest.approx(4_951 / 951 * 61, rel=0.01)
    assert budget.delay(5_000, wait) > 0
    assert budget.delay(1, wait) == 0


@given(st.floats(0, 1_000), st.floats(0, 1_000))
def test_a_correction_is_as_if_the_true_amount_had_been_taken(thought: float, true: float) -> None:
    corrected, exact = RateBudget(100_000), RateBudget(100_000)
    corrected.take(thought, 0)
    corrected.correct(true - thought)
    exact.take(true, 0)
    assert corrected.delay(5_000, 0) == pytest.approx(exact.delay(5_000, 0), abs=1e-6)


def test_a_clock_that_goes_back_gives_nothing_away() -> None:
    budget = RateBudget(60)
    for _ in range(3):
        budget.take(1, 100)
    assert budget.delay(1, 50) == budget.delay(1, 100) > 0
