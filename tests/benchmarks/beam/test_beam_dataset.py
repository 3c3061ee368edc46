"""BEAM's loader: both layouts, every known defect by its name, and what cannot be used by file, place and field."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heams.benchmarks import BeamBenchmark, BeamBenchmarkConfig
from heams.benchmarks.beam.defects import LOST_EVIDENCE
from heams.benchmarks.beam.evidence import KnownMessages, read_evidence
from heams.benchmarks.beam.time_anchor import parse_time_anchor
from heams.evaluation.evidence_recall import EvidenceRecallEvaluatorConfig
from heams.evaluation.nugget import NuggetEvaluatorConfig
from heta_framework.common.data_files.errors import DatasetFormatError

Write = Callable[..., Path]
MESSAGES = ("I bought seeds. ->-> 1,1", "Well done.", "I dug beds. ->-> 1,N/A", "Good.")


def _batch(*messages: str, **fields: Any) -> dict[str, Any]:
    roles = ("user", "assistant")
    turn = [{"id": place, "role": roles[place % 2], "content": content} for place, content in enumerate(messages)]
    return {"batch_number": 1, "time_anchor": "March-15-2024", "turns": [turn], **fields}


def _question(**fields: Any) -> dict[str, Any]:
    return {"question": "What?", "answer": "seeds", "rubric": ["seeds"], "source_chat_ids": [0], **fields}


def _of(ability: str, **fields: Any) -> dict[str, Any]:
    return {ability: [_question(**fields)]}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a chat and its questions, and gives the folder that holds the sizes."""

    def written(chat: Any = None, questions: Any = None, *, number: str = "1") -> Path:
        folder = tmp_path / "100K" / number / "probing_questions"
        folder.mkdir(parents=True)
        (folder.parent / "chat.json").write_text(json.dumps([_batch(*MESSAGES)] if chat is None else chat))
        asked = _of("information_extraction") if questions is None else questions
        (folder / "probing_questions.json").write_text(json.dumps(asked))
        return tmp_path

    return written


def _load(data_dir: Path, **fields: Any) -> BeamBenchmark:
    evaluators = (NuggetEvaluatorConfig(), EvidenceRecallEvaluatorConfig())
    return BeamBenchmark(
        BeamBenchmarkConfig(
            data_dir=data_dir, size="100K", question_prompt="Answer: {question}", evaluators=evaluators, **fields
        )
    )


def _rules(benchmark: BeamBenchmark) -> list[tuple[str, str]]:
    return [(note.rule, note.kind) for note in benchmark.skipped]


def _events(benchmark: BeamBenchmark) -> list[Any]:
    history = benchmark.samples[0].history
    assert history is not None
    return list(history.events)


def test_a_question_becomes_a_sample_on_the_history_of_its_chat(write: Write) -> None:
    benchmark = _load(write())
    (sample,) = benchmark.samples
    assert sample.id == "100K-1-q01"
    assert sample.tags == {"ability": "information_extraction", "chat": "1", "difficulty": "unknown"}
    (stimulus,) = sample.execution_sequence
    assert stimulus.type == "user_stimulus"
    assert (stimulus.content, stimulus.recall_query) == ("Answer: What?", "What?")
    assert stimulus.at == datetime(2024, 3, 15, tzinfo=UTC)
    assert stimulus.step_evaluation_markers == {
        "expected_answer": "seeds", "evidence": ["0"], "rubric": ["seeds"], "rubric_rule": "items",
    }  # fmt: skip
    assert benchmark.skipped == []


def test_markers_of_the_generator_and_its_hints_are_not_heard(write: Write) -> None:
    messages = ["Twice ->-> 3,1\nand an arrow ->-> stays\n->-> 1,2", "Not mine ->-> 1,1"]
    chat = [_batch(*messages)]
    chat[0]["turns"][0][0] |= {"index": "3,1", "question_type": "main_question"}
    boundary, first, second = _events(_load(write(chat)))
    assert boundary.session_id == "batch-1"
    assert first.content == "Twice\nand an arrow ->-> stays\n"
    assert second.content == "Not mine ->-> 1,1"
    assert (first.id, first.role, second.role, dict(first.metadata)) == ("0", "user", "assistant", {})


def test_abstention_has_no_evidence_and_is_not_asked_for_any(write: Write) -> None:
    asked = {"question": "Which?", "ideal_response": "No information.", "rubric": ["No information"]}
    (sample,) = _load(write(questions={"abstention": [asked]})).samples
    markers = sample.execution_sequence[0].step_evaluation_markers  # type: ignore[union-attr]
    assert markers["expected_answer"] == "No information."
    assert markers["rubric_rule"] == "abstention"
    assert "evidence" not in markers
    assert [type(one) for one in sample.evaluators] == [NuggetEvaluatorConfig]


@pytest.mark.parametrize(
    ("ability", "field"),
    [
        ("contradiction_resolution", "ideal_answer"),
        ("event_ordering", "answer"),
        ("instruction_following", "expected_compliance"),
        ("knowledge_update", "answer"),
        ("multi_session_reasoning", "answer"),
        ("preference_following", "expected_compliance"),
        ("summarization", "ideal_summary"),
        ("temporal_reasoning", "answer"),
    ],
)
def test_every_ability_has_its_gold_field(write: Write, ability: str, field: str) -> None:
    questions = _of(ability, **{"answer": None, field: "the gold"})
    (sample,) = _load(write(questions=questions)).samples
    assert sample.execution_sequence[0].step_evaluation_markers["expected_answer"] == "the gold"  # type: ignore[union-attr]


def test_chats_of_ten_million_tokens_are_plans_of_batches(write: Write) -> None:
    plans = [
        {"plan-1": [_batch("one ->-> 1,1", "yes")], "plan-2": None},
        {"plan-1": None, "plan-2": [_batch("two", "no"), _batch("three", time_anchor=None, batch_number=2)]},
    ]
    plans[1]["plan-2"][1]["turns"][0][0] |= {"id": 7, "time_anchor": "April-01-2024"}  # type: ignore[index]
    benchmark = _load(write(plans, _of("knowledge_update", source_chat_ids={"original": [1], "updated": [7]})))
    events = _events(benchmark)
    assert [event.session_id for event in events if event.type == "session_boundary"] == [
        "plan-1-batch-1", "plan-2-batch-1", "plan-2-batch-2",
    ]  # fmt: skip
    assert [event.id for event in events if event.type == "turn"] == [
        "plan-1:0", "plan-1:1", "plan-2:0", "plan-2:1", "plan-2:7",
    ]  # fmt: skip
    assert benchmark.samples[0].execution_sequence[0].step_evaluation_markers["evidence"] == ["plan-2:7"]  # type: ignore[union-attr]
    assert _rules(benchmark) == [("ambiguous_evidence", "dropped_label")]
    assert events[-1].at == datetime(2024, 4, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ability", "fields", "rule", "kind"),
    [
        ("temporal_reasoning", {"answer": "4 weeks", "rubric": ["8 weeks"]}, "gold_against_rubric", "dropped_label"),
        ("information_extraction", {"answer": " "}, "missing_gold", "dropped_label"),
        ("information_extraction", {"source_chat_ids": None}, "missing_evidence", "dropped_label"),
        ("information_extraction", {"source_chat_ids": ["x", 0]}, "unreadable_evidence", "dropped_label"),
        ("information_extraction", {"source_chat_ids": [9]}, "unresolved_evidence", "dropped_label"),
        ("information_extraction", {"source_chat_ids": [0, [1, 2]]}, "nested_evidence", "repaired"),
        ("information_extraction", {"source_chat_ids": {"a": [0], "b": [0]}}, "repeated_evidence", "repaired"),
        ("event_ordering", {"total_mentions": 3}, "event_count_mismatch", "repaired"),
        ("information_extraction", {"rubric": [" "]}, "empty_rubric", "skipped"),
        ("information_extraction", {"rubric": ["seeds", ""]}, "blank_rubric_item", "repaired"),
    ],
)
def test_a_defect_of_a_question_is_reported_by_name(
    write: Write, ability: str, fields: dict[str, Any], rule: str, kind: str
) -> None:
    benchmark = _load(write(questions=_of(ability, **fields)))
    assert _rules(benchmark) == [(rule, kind)]
    assert len(benchmark.samples) == (kind != "skipped")


def test_a_gold_answer_that_its_rubric_contradicts_is_no_expected_answer(write: Write) -> None:
    questions = _of("temporal_reasoning", answer="4 weeks, from 1 May", rubric=["8 weeks", "from May 1"])
    benchmark = _load(write(questions=questions))
    markers = benchmark.samples[0].execution_sequence[0].step_evaluation_markers  # type: ignore[union-attr]
    assert "expected_answer" not in markers
    assert benchmark.skipped[0].detail == "the answer says 4 weeks, its rubric 8 weeks: the rubric counts"
    assert (
        _rules(_load(write(questions=_of("temporal_reasoning", answer="8 weeks", rubric=["8 weeks"]), number="2")))[1:]
        == []
    )


def test_defects_of_a_chat_are_reported_by_name(write: Write) -> None:
    chat = [_batch("a", time_anchor="Spring-1-2024"), _batch("b", batch_number=2, time_anchor=None)]
    chat[1]["turns"][0][0]["id"] = None
    benchmark = _load(write(chat))
    assert _rules(benchmark) == [("unreadable_time_anchor", "dropped_label"), ("message_without_id", "repaired")]
    assert [event.id for event in _events(benchmark) if event.type == "turn"] == ["0", "unnumbered-2"]


def test_half_a_chat_is_left_out_by_name(write: Write) -> None:
    root = write()
    (write(number="2") / "100K/2/chat.json").unlink()
    (write(number="3") / "100K/3/probing_questions/probing_questions.json").unlink()
    assert _rules(_load(root)) == [("missing_chat", "skipped"), ("missing_questions", "skipped")]


def test_a_chat_without_any_question_is_left_out_by_name(write: Write) -> None:
    root = write()
    write(questions={}, number="2")
    assert _rules(_load(root)) == [("missing_questions", "skipped")]


def test_the_truncated_chat_goes_before_the_whole_one(write: Write) -> None:
    root = write()
    (root / "100K/1/chat_trunecated.json").write_text(json.dumps([_batch("short")]))
    assert [event.content for event in _events(_load(root)) if event.type == "turn"] == ["short"]


def test_chats_are_found_as_they_are_fetched_and_in_the_order_of_their_numbers(write: Write, tmp_path: Path) -> None:
    for number in ("10", "2"):
        folder = write(number=number) / "100K" / number
        (folder / "chat.json").rename(tmp_path / f"100K_{number}_chat.json")
        (folder / "probing_questions/probing_questions.json").rename(tmp_path / f"100K_{number}_probing_questions.json")
    assert [sample.tags["chat"] for sample in _load(tmp_path).samples] == ["2", "10"]


def test_chats_abilities_and_limit_choose_questions(write: Write) -> None:
    questions = _of("information_extraction") | {"summarization": [_question(ideal_summary="s"), _question()]}
    for number in ("1", "2"):
        root = write(questions=questions, number=number)
    assert len(_load(root).samples) == 6
    assert [sample.id for sample in _load(root, chats=["2"], abilities=["summarization"]).samples] == [
        "100K-2-q02", "100K-2-q03",
    ]  # fmt: skip
    assert [sample.id for sample in _load(root, limit=4).samples][-1] == "100K-2-q01"
    assert len({note.record_id for note in _load(root, limit=1).skipped}) == 0
    with pytest.raises(DatasetFormatError, match=r"no chat '3' \(named in 'chats'\); there is: 1, 2"):
        _load(root, chats=["3"])


@pytest.mark.parametrize(
    ("chat", "questions", "message"),
    [
        (None, {"memory": []}, "memory"),
        (None, _of("summarization", rubric="seeds"), "rubric"),
        (None, _of("information_extraction", answer=["seeds"]), "gold"),
        ([_batch("a") | {"turns": [[{"id": 0, "role": "robot", "content": "a"}]]}], None, "role"),
        ([_batch("a"), _batch("b")], None, "found the id '0' 2 times"),
        ([_batch()], None, "found no messages"),
        ([_batch("a") | {"turns": [[{"id": "", "role": "user", "content": "a"}]]}], None, "turns 0 0, id: found"),
        ({"plan-1": []}, None, "list"),
        ([{"plan-1": [{"batch_number": 1}]}], None, "turns"),
    ],
)
def test_what_cannot_be_used_is_an_error_with_its_file(write: Write, chat: Any, questions: Any, message: str) -> None:
    with pytest.raises(DatasetFormatError, match=message) as refused:
        _load(write(chat, questions))
    assert "100K/1/" in str(refused.value)


def test_a_folder_without_chats_says_what_is_expected(tmp_path: Path) -> None:
    with pytest.raises(DatasetFormatError, match=r"no chats of the size '100K'; expected 100K/1/chat.json"):
        _load(tmp_path)


def test_at_most_two_chats_are_held(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in ("1", "2", "3"):
        root = write(number=number)
    benchmark = _load(root)
    read: list[str] = []
    real = Path.read_bytes

    def counted(path: Path) -> bytes:
        read.append(path.parent.name)
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", counted)
    for _ in range(2):
        assert len(list(benchmark.samples)) == 3
    assert read == ["1", "2", "3", "1", "2", "3"]
    assert benchmark.samples[2].history is benchmark.samples[2].history


@pytest.mark.parametrize("text", ["Smarch-01-2024", "February-30-2024", "2024", ""])
def test_a_date_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="found"):
        parse_time_anchor(text)


_labels = st.recursive(
    st.none() | st.integers(0, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=12,
)


@given(_labels)
@settings(max_examples=60, deadline=None)
def test_evidence_of_any_shape_names_only_messages_that_exist_each_once(labels: Any) -> None:
    known = [str(number) for number in range(5)]
    reading = read_evidence(labels, KnownMessages(known))
    assert set(reading.ids) <= set(known)
    assert len(set(reading.ids)) == len(reading.ids)
    assert reading.ids or reading.losses(LOST_EVIDENCE)
