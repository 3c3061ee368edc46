"""Reading what an earlier process left: torn lines, unreadable lines, attempts."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.orchestration.resume import FinishedIndex, drop_torn_lines, read_earlier


def _line(sample: str, attempt: int = 1, status: str = "completed", run: str = "r1") -> str:
    identity = {"run_id": run, "sample_id": sample, "repeat": 0, "attempt": attempt, "status": status}
    return json.dumps(identity | dict.fromkeys(("experiment", "sample_name", "started_at", "finished_at"), "x")) + "\n"


def test_a_torn_last_line_is_dropped_and_named(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    file.write_text(_line("a") + _line("b")[:-20])
    notes = drop_torn_lines(tmp_path)
    assert len(notes) == 1
    assert "runs.jsonl" in notes[0]
    assert file.read_text() == _line("a")


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 200_000])
def test_torn_lines_of_any_length_are_found(tmp_path: Path, size: int) -> None:
    file = tmp_path / "runs.jsonl"
    file.write_text(_line("a") + "x" * size)
    drop_torn_lines(tmp_path)
    assert file.read_text() == _line("a")


def test_a_file_that_is_one_torn_line_becomes_empty(tmp_path: Path) -> None:
    (tmp_path / "texts.jsonl").write_text('{"id": "1')
    assert len(drop_torn_lines(tmp_path)) == 1
    assert (tmp_path / "texts.jsonl").read_bytes() == b""


def test_the_last_attempt_decides(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    file.write_text(_line("a", 1, "error") + _line("a", 2) + _line("b", 1, "error") + _line("c", run="r0"))
    index, notes = read_earlier(tmp_path, "r1")
    assert not notes
    assert index.is_final("a", 0)
    assert not index.is_final("b", 0)
    assert index.next_attempt("b", 0) == 2
    assert not index.is_final("c", 0)
    assert index.completed == 1


def test_an_unreadable_line_is_named_and_its_scenario_played_again(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    file.write_text(_line("a") + "{broken\n" + '{"no": "id"}\n' + _line("b"))
    index, notes = read_earlier(tmp_path, "r1")
    assert index.completed == 2
    assert [note.split(":")[1] for note in notes] == ["2", "3"]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans())))
def test_the_index_agrees_with_a_plain_reading(attempts: list[tuple[str, bool]]) -> None:
    index = FinishedIndex()
    expected: dict[str, tuple[int, bool]] = {}
    for sample, ok in attempts:
        number = expected.get(sample, (0, False))[0] + 1
        expected[sample] = (number, ok)
        index.record(sample, 0, number, ok=ok)
    for sample in "abc":
        number, ok = expected.get(sample, (0, False))
        assert index.is_final(sample, 0) == ok
        assert index.next_attempt(sample, 0) == number + 1
    assert index.completed == sum(ok for _, ok in expected.values())
