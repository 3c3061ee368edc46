"""Your own questions: what rows become, in which order, and how long files stay small in memory."""

import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from heams.benchmarks.jsonl_qa import JsonlQABenchmark, JsonlQABenchmarkConfig
from heams.scenarios.actions import SessionBoundary, Turn, UserStimulus

Build = Callable[..., JsonlQABenchmark]

_TALK = {
    "history": {
        "id": "talk",
        "turns": [
            {"id": "t1", "content": "Hello", "speaker": "Ada", "at": "2024-03-02T18:30:00Z", "session_id": "s1"},
            {"id": "t2", "content": "Hi", "role": "assistant", "session_id": "s1"},
            {"id": "t3", "content": "No session here"},
            {"id": "t4", "content": "Again", "at": "2024-03-03T08:00:00+02:00", "session_id": "s2"},
        ],
    }
}


def _question(name: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "question": f"What is {name}?", "answer": name, **fields}


@pytest.fixture
def build(jsonl_settings: dict[str, Any], write_lines: Callable[[Any], Path]) -> Build:
    """Builds the benchmark over rows, with settings changed."""

    def benchmark(*rows: Any, **changes: Any) -> JsonlQABenchmark:
        settings = {"data_file": write_lines(rows), **jsonl_settings, **changes}
        return JsonlQABenchmark(JsonlQABenchmarkConfig.model_validate(settings))

    return benchmark


def _stimulus(benchmark: JsonlQABenchmark, position: int) -> UserStimulus:
    (action,) = benchmark.samples[position].execution_sequence
    assert isinstance(action, UserStimulus)
    return action


def _ids(benchmark: JsonlQABenchmark) -> list[str]:
    return [sample.id for sample in benchmark.samples]


def test_a_question_becomes_a_sample(build: Build) -> None:
    row = _question("q1", history="talk", evidence=["t1", "t4"], tags={"category": "easy"}, at="2024-04-01T00:00:00Z")
    benchmark = build(_TALK, row)
    (sample,) = benchmark.samples
    assert (sample.id, sample.name, sample.tags) == ("q1", "What is q1?", {"category": "easy"})
    assert sample.history is not None
    assert sample.history.id == "talk"
    assert _stimulus(benchmark, 0) == UserStimulus(
        content="Q: What is q1?",
        recall_query="What is q1?",
        at=datetime(2024, 4, 1, tzinfo=UTC),
        step_evaluation_markers={"expected_answer": "q1", "evidence": ["t1", "t4"]},
    )
    assert list(sample.evaluators) == list(benchmark.config.evaluators)
    assert not benchmark.skipped


def test_turns_become_events_and_sessions_begin_where_their_id_changes(build: Build) -> None:
    (sample,) = build(_TALK, _question("q1", history="talk")).samples
    assert sample.history is not None
    at = datetime(2024, 3, 2, 18, 30, tzinfo=UTC)
    first, turn, reply, *rest = sample.history.events
    assert first == SessionBoundary(session_id="s1", at=at)
    assert turn == Turn(id="t1", content="Hello", speaker="Ada", at=at, session_id="s1")
    assert reply == Turn(id="t2", content="Hi", role="assistant", session_id="s1")
    assert [event.type for event in rest] == ["turn", "session_boundary", "turn"]


def test_a_question_needs_no_history(build: Build) -> None:
    (sample,) = build(_question("q1")).samples
    assert sample.history is None


@pytest.mark.parametrize("answer", ["Lima", 7, 2.5, None, ["Lima", 7], ""])
def test_answers_are_texts_numbers_lists_of_them_or_unknown(build: Build, answer: Any) -> None:
    benchmark = build(_question("q1", answer=answer))
    assert _stimulus(benchmark, 0).step_evaluation_markers["expected_answer"] == answer


def test_questions_about_one_history_stand_together_otherwise_in_the_order_of_the_file(build: Build) -> None:
    other = {"history": {"id": "other", "turns": [{"id": "t1", "content": "x"}]}}
    rows = [
        _question("q1", history="talk"),
        _question("q2"),
        _question("q3", history="other", evidence=["t1"]),
        _question("q4", history="talk", evidence=["t4"]),
        _question("q5"),
    ]
    assert _ids(build(*rows, _TALK, other)) == ["q1", "q4", "q2", "q5", "q3"]
    assert _ids(build(*rows, _TALK, other, limit=3)) == ["q1", "q2", "q3"]


def test_blank_lines_line_ends_and_a_byte_order_mark_do_not_matter(build: Build, tmp_path: Path) -> None:
    path = tmp_path / "crlf.jsonl"
    line = b'{"id": "%s", "question": "caf\xc3\xa9?", "answer": null}'
    path.write_bytes(b"\xef\xbb\xbf" + line % b"a" + b"\r\n\r\n  \r\n" + line % b"b")  # no line end after the last
    benchmark = build(data_file=path)
    assert _ids(benchmark) == ["a", "b"]
    assert benchmark.samples[1].name == "café?"


def test_samples_can_be_indexed_sliced_and_read_again(build: Build) -> None:
    samples = build(*(_question(f"q{number}") for number in range(5))).samples
    assert samples[-1].id == "q4"
    assert [sample.id for sample in samples[1:3]] == ["q1", "q2"]
    assert samples[2] == samples[2]
    with pytest.raises(IndexError):
        samples[5]


def test_memory_stays_flat_however_long_the_file_is(build: Build) -> None:
    def peak(count: int) -> int:
        filler = "x" * 1_000
        rows = [_TALK, *({**_question(f"q{number}", history="talk"), "question": filler} for number in range(count))]
        path = build(*rows).config.data_file
        tracemalloc.start()
        for _ in build(data_file=path).samples:
            pass
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    growth = peak(5_000) - peak(500)
    assert growth < 4_500 * 200  # bytes a question, of which each has more than 1,000 in the file


def test_repeated_ids_are_found_even_if_hashes_collide(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heta_framework.common.text.fingerprints.hash", lambda text: 7, raising=False)
    assert _ids(build(_question("a"), _question("b"), _question("c"))) == ["a", "b", "c"]
