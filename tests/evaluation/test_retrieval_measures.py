"""Recall, reciprocal rank and nDCG, worked by hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.evaluation.retrieval import ndcg_at_k, recall_at_k, reciprocal_rank

SINGLES = [["a"], ["b"], ["c"], ["d"]]
CHUNKS = [["x"], ["a", "b"], [], ["b", "c"]]
IDS = st.sampled_from("abcdefgh")
RANKINGS = st.lists(st.lists(IDS, max_size=3), max_size=8)
GOLDS = st.sets(IDS, min_size=1)


@pytest.mark.parametrize(
    ("ranking", "gold", "k", "value"),
    [
        (SINGLES, ["a"], 1, 1.0),
        (SINGLES, ["b"], 1, 0.0),
        (SINGLES, ["b", "d"], 3, 0.5),
        (SINGLES, ["b", "d"], 4, 1.0),
        (SINGLES, ["b", "z"], 100, 0.5),
        (SINGLES, ["b", "b", "z"], 100, 0.5),
        (CHUNKS, ["a", "b", "c"], 2, 2 / 3),
        (CHUNKS, ["a", "b", "c"], 4, 1.0),
        ([], ["a"], 10, 0.0),
    ],
)
def test_recall(ranking: Sequence[Collection[str]], gold: Collection[str], k: int, value: float) -> None:
    assert recall_at_k(ranking, gold, k) == pytest.approx(value)


@pytest.mark.parametrize(
    ("ranking", "gold", "k", "value"),
    [
        (SINGLES, ["a"], None, 1.0),
        (SINGLES, ["d", "c"], None, 1 / 3),
        (SINGLES, ["d", "c"], 2, 0.0),
        (SINGLES, ["z"], None, 0.0),
        (CHUNKS, ["c", "b"], None, 0.5),
        ([], ["a"], None, 0.0),
    ],
)
def test_reciprocal_rank(
    ranking: Sequence[Collection[str]], gold: Collection[str], k: int | None, value: float
) -> None:
    assert reciprocal_rank(ranking, gold, k) == pytest.approx(value)


@pytest.mark.parametrize(
    ("ranking", "gold", "k", "value"),
    [
        (SINGLES, ["a", "b"], 2, 1.0),
        (SINGLES, ["b"], 10, 1 / log2(3)),
        (SINGLES, ["a", "c"], 10, (1 + 1 / 2) / (1 + 1 / log2(3))),
        (SINGLES, ["a", "b", "c"], 1, 1.0),
        (SINGLES, ["z"], 10, 0.0),
        ([["a", "b", "c"]], ["a", "b", "c"], 10, 1.0),
        ([["a", "b"]], ["a", "b", "z"], 10, 1 / (1 + 1 / log2(3))),
        ([["a"], ["a"], ["b"]], ["a", "b"], 10, (1 + 1 / 2) / (1 + 1 / log2(3))),
        (CHUNKS, ["a", "b", "c"], 2, (1 / log2(3)) / (1 + 1 / log2(3))),
    ],
)
def test_ndcg(ranking: Sequence[Collection[str]], gold: Collection[str], k: int, value: float) -> None:
    assert ndcg_at_k(ranking, gold, k) == pytest.approx(value)


@pytest.mark.parametrize("measure", [recall_at_k, reciprocal_rank, ndcg_at_k])
def test_no_gold_and_no_cut_off_are_refused(measure: Callable[..., float]) -> None:
    with pytest.raises(ValueError, match="gold is empty"):
        measure(SINGLES, [], 5)
    with pytest.raises(ValueError, match="k is 0; it must be at least 1"):
        measure(SINGLES, ["a"], 0)


@given(ranking=RANKINGS, gold=GOLDS, k=st.integers(1, 10))
def test_all_measures_lie_between_0_and_1(ranking: list[list[str]], gold: set[str], k: int) -> None:
    for value in (recall_at_k(ranking, gold, k), reciprocal_rank(ranking, gold), ndcg_at_k(ranking, gold, k)):
        assert 0.0 <= value <= 1.0 + 1e-12


@given(ranking=RANKINGS, gold=GOLDS, k=st.integers(1, 10))
def test_recall_never_falls_when_more_items_are_read(ranking: list[list[str]], gold: set[str], k: int) -> None:
    assert recall_at_k(ranking, gold, k) <= recall_at_k(ranking, gold, k + 1)
