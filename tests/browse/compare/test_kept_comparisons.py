"""Comparisons are computed once, kept within bounds, and never waited for too long."""

import threading
from pathlib import Path
from typing import Any

import pytest
from saved_pairs import save

from heams.browse.comparing import Comparisons, Condensed, StillComparing, Wish, compare_now
from heams.browse.index import Library
from heams.reporting.compare import MetricKey, UnlikeExperiments
from heams.reporting.errors import ResultsError


@pytest.fixture
def sides(tmp_path: Path) -> Any:
    """The experiments of a library, and where they are."""
    root = tmp_path / "results"
    for memory, values in (("lexical", [1, 0, 0]), ("vector", [1, 1, 0])):
        save(root, memory, values)
    save(root, "hybrid", [1, 1, 1], budget=3)
    with Library([root]) as library:
        yield [library.experiment(f"extractive__{memory}__jsonl_qa") for memory in ("lexical", "vector", "hybrid")]


class Counting:
    """Compares, and counts how often."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, *asked: Any) -> Condensed:
        """Compare."""
        self.calls += 1
        return compare_now(*asked)


def test_answers_and_refusals_are_kept_by_wish(sides: Any) -> None:
    counting = Counting()
    kept = Comparisons(counting)
    a, b, unlike = sides
    assert kept.of(a, b, Wish()) is kept.of(a, b, Wish())
    assert kept.of(a, b, Wish(by="kind")).comparison.by == "kind"
    for _ in range(2):
        with pytest.raises(UnlikeExperiments) as refused:
            kept.of(a, unlike, Wish())
        assert refused.value.names == ("budget",)
    assert counting.calls == 3


def test_a_failure_is_told_and_tried_again(sides: Any) -> None:
    counting = Counting()
    kept = Comparisons(counting)
    for _ in range(2):
        with pytest.raises(ResultsError, match="has a tag 'knid'"):
            kept.of(sides[0], sides[1], Wish(by="knid"))
    assert counting.calls == 2


def test_no_more_pairs_are_kept_than_allowed(sides: Any) -> None:
    counting = Counting()
    kept = Comparisons(counting, most_pairs=5)
    for wish in (Wish(), Wish(by="kind"), Wish(by="kind"), Wish()):
        kept.of(sides[0], sides[1], wish)
    assert counting.calls == 3, "the last one is kept, whatever its size"


def test_who_asks_for_something_long_is_sent_away_and_finds_it_later(sides: Any) -> None:
    gate = threading.Event()

    def slow(*asked: Any) -> Condensed:
        gate.wait(10)
        return compare_now(*asked)

    kept = Comparisons(slow, patience=0.01)
    with pytest.raises(StillComparing):
        kept.of(sides[0], sides[1], Wish())
    gate.set()
    kept._patience = 10
    assert kept.of(sides[0], sides[1], Wish()).comparison.n == 3


def test_numbers_and_places_stay_and_texts_are_dropped(sides: Any) -> None:
    found = compare_now(sides[0], sides[1], Wish(MetricKey("own", "f1"), "kind"))
    assert [group.value for group in found.comparison.groups] == ["even", "odd"]
    assert found.of_group("odd").columns["value_b"].tolist() == [1.0]
    assert found.tags == ("kind",)
    assert not {"sample_id", "verdict_a", "cluster", "tag"} & set(found.pairs.columns)
    assert sum(column.itemsize for column in found.pairs.columns.values()) < 64
