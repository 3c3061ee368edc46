"""The plan: what is still to be played, without making samples that are finished, and without repeated ids."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.benchmarks.sample import BenchmarkSample
from heams.orchestration.plan import DuplicateSampleId, plan
from heams.orchestration.resume import FinishedIndex
from heta_framework.common.text.fingerprints import FingerprintSet


def _sample(sample_id: str) -> BenchmarkSample:
    return BenchmarkSample(id=sample_id, name=sample_id, execution_sequence=[], evaluators=[])


class Unnamed(Sequence[BenchmarkSample]):
    """Samples that are made when they are asked for; ``made`` counts how often."""

    def __init__(self, *ids: str) -> None:
        self.ids = ids
        self.made: list[str] = []

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, position: Any) -> Any:
        self.made.append(self.ids[position])
        return _sample(self.ids[position])


class Named(Unnamed):
    def id_at(self, position: int) -> str:
        return self.ids[position]


def _finished(*keys: tuple[str, int]) -> FinishedIndex:
    index = FinishedIndex()
    for sample_id, repeat in keys:
        index.record(sample_id, repeat, 1, ok=True)
    return index


def _planned(samples: Sequence[BenchmarkSample], finished: FinishedIndex, **options: Any) -> list[tuple[str, int]]:
    given = {"repeats": 1, "limit": None} | options
    return [(item.sample.id, item.repeat) for item in plan(samples, finished, **given)]


def test_samples_with_known_ids_are_made_only_when_they_are_played() -> None:
    samples = Named("a", "b", "c", "d")
    finished = _finished(("a", 0), ("a", 1), ("b", 0), ("c", 0), ("c", 1))
    assert _planned(samples, finished, repeats=2) == [("b", 1), ("d", 0), ("d", 1)]
    assert samples.made == ["b", "d"]


def test_samples_with_unknown_ids_are_made_once_each() -> None:
    samples = Unnamed("a", "b", "c")
    assert _planned(samples, _finished(("b", 0)), repeats=2) == [("a", 0), ("a", 1), ("b", 1), ("c", 0), ("c", 1)]
    assert samples.made == ["a", "b", "c"]


@pytest.mark.parametrize("kind", [Named, Unnamed])
def test_a_repeated_id_is_refused_even_when_its_first_sample_is_finished(kind: type[Unnamed]) -> None:
    with pytest.raises(DuplicateSampleId, match=r"'b' occurs twice: at positions 2 and 4"):
        _planned(kind("a", "b", "c", "b"), _finished(("b", 0)))


def test_equal_hashes_of_different_ids_are_no_repetition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heta_framework.common.text.fingerprints.hash", lambda text: 7, raising=False)
    assert _planned(Named("a", "b"), _finished()) == [("a", 0), ("b", 0)]


@given(st.lists(st.text(max_size=3), max_size=3_000))
def test_a_fingerprint_set_agrees_with_a_set(texts: list[str]) -> None:
    fingerprints, seen = FingerprintSet(), set[str]()
    for text in texts:
        assert fingerprints.add(text) == (text not in seen)
        seen.add(text)
    assert len(fingerprints) == len(seen)


def test_a_fingerprint_set_grows() -> None:
    fingerprints = FingerprintSet()
    assert all(fingerprints.add(f"id {number}") for number in range(20_000))
    assert not any(fingerprints.add(f"id {number}") for number in range(20_000))
    assert len(fingerprints) == 20_000


def test_a_hash_of_zero_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heta_framework.common.text.fingerprints.hash", lambda text: 0, raising=False)
    fingerprints = FingerprintSet()
    assert fingerprints.add("a")
    assert not fingerprints.add("a")
