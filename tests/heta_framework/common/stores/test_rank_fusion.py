"""Reciprocal rank fusion against the formula of the paper, and its properties."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.stores.fusion import rrf

_RANKING = st.lists(st.sampled_from("abcdefgh"), unique=True)


def test_scores_are_sums_of_reciprocal_ranks() -> None:
    fused = dict(rrf([["a", "b"], ["b", "c"]], k=60))
    assert fused == {"a": 1 / 61, "b": pytest.approx(1 / 62 + 1 / 61, abs=1e-15), "c": 1 / 62}


def test_what_two_rankings_agree_on_beats_what_one_puts_first() -> None:
    assert [item for item, _ in rrf([["x", "shared"], ["y", "shared"]])] == ["shared", "x", "y"]


def test_a_weight_of_zero_keeps_the_items_and_their_order_behind() -> None:
    assert [item for item, _ in rrf([["a"], ["b"]], weights=[0, 1])] == ["b", "a"]


def test_later_copies_within_one_ranking_are_dropped() -> None:
    assert rrf([["a", "a", "b"]]) == rrf([["a", "b"]])


@given(st.lists(_RANKING, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_the_rankings_never_decides(rankings: list[list[str]], rng: random.Random) -> None:
    shuffled = rankings[:]
    rng.shuffle(shuffled)
    assert rrf(rankings) == rrf(shuffled)


@given(st.lists(_RANKING, max_size=5))
def test_every_item_comes_once_and_scores_descend_with_ties_by_id(rankings: list[list[str]]) -> None:
    fused = rrf(rankings)
    assert sorted(item for item, _ in fused) == sorted({item for ranking in rankings for item in ranking})
    assert fused == sorted(fused, key=lambda pair: (-pair[1], pair[0]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": -1}, "k must be"),
        ({"k": float("nan")}, "k must be"),
        ({"weights": [1, 1]}, "2 weights for 1 rankings"),
        ({"weights": [-1]}, "at least 0"),
        ({"weights": [float("inf")]}, "finite"),
    ],
)
def test_senseless_parameters_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rrf([["a"]], **arguments)  # type: ignore[arg-type]
