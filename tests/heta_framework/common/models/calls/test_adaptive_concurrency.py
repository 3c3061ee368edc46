"""The limit stays between 1 and its maximum, shrinks once a storm, and finds out what an endpoint bears."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.models.calls.adaptive_concurrency import AdaptiveConcurrency

Events = list[tuple[str, int, int]]
EVENTS = st.lists(
    st.tuples(st.sampled_from(["answered", "refused", "again", "run"]), st.integers(0, 80), st.integers(1, 80)),
    max_size=300,
)


@given(st.integers(1, 64), EVENTS)
def test_the_limit_stays_in_its_bounds(maximum: int, events: Events) -> None:
    adaptive = AdaptiveConcurrency(maximum)
    for kind, others, under_way in events:
        if kind == "answered":
            adaptive.succeeded(others, under_way=under_way)
        else:
            adaptive.refused(others, news=kind == "refused", run=kind == "run")
        assert 1 <= adaptive.limit <= maximum


@given(st.integers(1, 64), EVENTS)
def test_only_refusals_shrink_it_and_only_full_use_makes_it_grow(maximum: int, events: Events) -> None:
    adaptive = AdaptiveConcurrency(maximum)
    for kind, others, under_way in events:
        before = adaptive.limit
        if kind == "answered":
            adaptive.succeeded(others, under_way=under_way)
            assert before <= adaptive.limit <= before + (under_way >= before)
        else:
            adaptive.refused(others, news=kind == "refused", run=kind == "run")
            assert adaptive.limit <= before


def test_it_starts_at_the_maximum_and_shrinks_once_a_storm() -> None:
    adaptive = AdaptiveConcurrency(100)
    assert adaptive.limit == 100
    adaptive.refused(99, news=True, run=False)
    shrunk = adaptive.limit
    assert shrunk < 100
    for _ in range(20):
        adaptive.refused(99, news=False, run=False)
    assert adaptive.limit == shrunk


def test_many_refusals_shrink_it_by_about_half_of_their_share() -> None:
    adaptive = AdaptiveConcurrency(1_000)
    for _ in range(200):
        adaptive.refused(999, news=False, run=False)
    adaptive.refused(999, news=True, run=False)
    assert 480 <= adaptive.limit <= 520


def test_a_run_sets_it_to_the_load_that_was_borne() -> None:
    adaptive = AdaptiveConcurrency(100)
    adaptive.refused(20, news=True, run=True)
    assert adaptive.limit == 20


def test_a_run_at_a_load_that_is_known_to_be_borne_has_other_reasons() -> None:
    adaptive = AdaptiveConcurrency(100)
    adaptive.succeeded(80, under_way=81)
    adaptive.refused(3, news=False, run=True)
    assert adaptive.limit == 100


def test_above_what_was_borne_it_grows_by_one_a_round_trip_at_most_and_back_to_it_at_once() -> None:
    adaptive = AdaptiveConcurrency(100)
    adaptive.refused(90, news=True, run=False)
    start = adaptive.limit
    for _ in range(start):
        adaptive.succeeded(start - 1, under_way=start)
    assert adaptive.limit == start + 1


def test_a_fixed_limit_is_tried_more_and_more_seldom() -> None:
    adaptive, bears, refused, tries = AdaptiveConcurrency(100), 20, 0, []
    adaptive.refused(bears, news=True, run=True)
    for number in range(20_000):
        if adaptive.limit > bears:
            refused += 1
            tries.append(number)
            adaptive.refused(bears, news=True, run=False)
        adaptive.succeeded(adaptive.limit - 1, under_way=adaptive.limit)
    gaps = [later - earlier for earlier, later in pairwise(tries)]
    assert gaps == sorted(gaps)
    assert refused / 20_000 < 0.001


def test_when_the_endpoint_bears_more_again_it_is_used() -> None:
    adaptive = AdaptiveConcurrency(40)
    adaptive.refused(5, news=True, run=True)
    for _ in range(3_000):
        adaptive.succeeded(adaptive.limit - 1, under_way=adaptive.limit)
    assert adaptive.limit == 40


def test_a_raised_maximum_is_used_at_once_where_nothing_was_refused() -> None:
    free, held = AdaptiveConcurrency(10), AdaptiveConcurrency(10)
    held.refused(5, news=True, run=True)
    for adaptive in (free, held):
        adaptive.raise_maximum(50)
        adaptive.raise_maximum(20)
    assert (free.limit, held.limit) == (50, 5)
    assert free.maximum == held.maximum == 50
