"""LongMemEval's files: read lazily, marks of gold stripped, each defect mended by a named rule."""

import json
from pathlib import Path
from typing import Any

import pytest

from heams.benchmarks import LongMemEvalBenchmark, LongMemEvalBenchmarkConfig
from heams.benchmarks.longmemeval.dates import parse_date
from heams.evaluation import (
    EvidenceRecallEvaluatorConfig,
    LLMJudgeEvaluatorConfig,
    LongMemEvalEvaluatorConfig,
    SessionRecallEvaluatorConfig,
)
from heta_framework.common.data_files import json_array
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.judge import FAMILIES

_EVALUATORS = (LongMemEvalEvaluatorConfig(), EvidenceRecallEvaluatorConfig(), SessionRecallEvaluatorConfig())


def _question(**changes: Any) -> dict[str, Any]:
    """A question as it is published, without a defect."""
    told = [
        {"role": "user", "content": "My cat is grey.", "has_answer": True},
        {"role": "assistant", "content": "Nice."},
    ]
    question = {
        "question_id": "ab12",
        "question_type": "single-session-user",
        "question": "What colour is my cat?",
        "answer": "grey",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["s_1", "answer_ab12_1"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/22 (Mon) 10:00"],
        "haystack_sessions": [[{"role": "user", "content": "Hello."}], told],
        "answer_session_ids": ["answer_ab12_1"],
    }
    return {**question, **changes}


def _benchmark(folder: Path, *questions: Any, text: str | None = None, **settings: Any) -> LongMemEvalBenchmark:
    path = folder / "questions.json"
    path.write_text(json.dumps(questions) if text is None else text)
    given = {"evaluators": _EVALUATORS, **settings}
    return LongMemEvalBenchmark(
        LongMemEvalBenchmarkConfig(data_file=path, question_prompt="Answer: {question}", **given)
    )


def test_a_question_has_a_history_of_its_own_under_names_that_tell_nothing(tmp_path: Path) -> None:
    benchmark = _benchmark(tmp_path, _question())
    (sample,) = benchmark.samples
    assert (sample.id, sample.tags["question_id"], sample.tags["kind"]) == (
        "question-0001",
        "ab12",
        "single-session-user",
    )
    assert sample.history is not None
    heard = sample.history.model_dump_json()
    assert "answer_" not in heard
    assert "has_answer" not in heard
    assert [event.type for event in sample.history.events] == [
        "session_boundary", "turn", "session_boundary", "turn", "turn",
    ]  # fmt: skip
    stimulus = sample.execution_sequence[0]
    assert stimulus.type == "user_stimulus"
    assert str(stimulus.at).startswith("2023-05-30 23:40")
    assert stimulus.step_evaluation_markers == {
        "longmemeval_rule": "answer",
        "expected_answer": "grey",
        "evidence": ["s2-t1"],
        "evidence_sessions": [["s2-t1", "s2-t2"]],
    }
    assert benchmark.skipped == []


def test_a_question_that_cannot_be_answered_is_told_by_its_id_and_has_no_evidence(tmp_path: Path) -> None:
    (sample,) = _benchmark(tmp_path, _question(question_id="ab12_abs", answer="There is no dog.")).samples
    assert sample.id == "question-0001"
    assert sample.tags["kind"] == "abstention"
    assert sample.tags["question_type"] == "single-session-user"
    assert sample.execution_sequence[0].step_evaluation_markers["longmemeval_rule"] == "abstention"  # type: ignore[union-attr]
    assert [evaluator.type for evaluator in sample.evaluators] == ["longmemeval"]  # type: ignore[attr-defined]


def test_the_judge_finds_its_rule_by_type_and_by_the_published_id(tmp_path: Path) -> None:
    judge = LLMJudgeEvaluatorConfig.model_validate({"judges": [{"model": "openai:gpt-4o"}], "policy": "longmemeval"})
    questions = [_question(question_id="a", question_type="temporal-reasoning"), _question(question_id="b_abs")]
    samples = _benchmark(tmp_path, *questions, evaluators=(judge,)).samples
    chosen = [FAMILIES["longmemeval"].choose(sample.tags) for sample in samples]
    assert chosen == ["longmemeval_temporal", "longmemeval_abstention"]


_OTHER_DATES = ["2023/05/22 (Mon) 10:00", "2023/05/20 (Sat) 02:21"]


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"haystack_dates": _OTHER_DATES}, [("unsorted_sessions", "repaired")]),
        ({"haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/02/30 (Thu) 10:00"]}, [("unreadable_date", "repaired")]),
        ({"question_date": "later"}, [("unreadable_date", "repaired")]),
        ({"answer": None}, [("missing_gold", "dropped_label")]),
        ({"answer": " "}, [("missing_gold", "dropped_label")]),
        ({"answer_session_ids": ["answer_ab12_1", "answer_ab12_2"]}, [("unresolved_evidence", "dropped_label")]),
        ({"haystack_sessions": [[{"role": "user", "content": "a"}], [{"role": "user", "content": "b"}]]},
         [("no_evidence_turn", "dropped_label")]),
        ({"haystack_sessions": [[], _question()["haystack_sessions"][1]]}, [("empty_session", "repaired")]),
        ({"haystack_sessions": [[{"role": "user", "content": "a"}, {"role": "assistant", "content": " "}],
                                _question()["haystack_sessions"][1]]}, [("empty_turn", "repaired")]),
    ],
)  # fmt: skip
def test_a_defect_is_mended_by_its_rule(tmp_path: Path, changes: dict[str, Any], rules: list[Any]) -> None:
    benchmark = _benchmark(tmp_path, _question(**changes))
    assert [(note.rule, note.kind) for note in benchmark.skipped] == rules
    (sample,) = benchmark.samples
    assert sample.history is not None
    times = [event.at for event in sample.history.events if event.type == "session_boundary"]
    assert times == sorted(times)  # type: ignore[type-var]


def test_sessions_are_heard_by_date_under_their_place_in_the_file(tmp_path: Path) -> None:
    (sample,) = _benchmark(tmp_path, _question(haystack_dates=_OTHER_DATES)).samples
    assert sample.history is not None
    heard = [event.session_id for event in sample.history.events if event.type == "session_boundary"]
    assert heard == ["session-2", "session-1"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"question_type": "single-session"}, "question_type"),
        ({"haystack_dates": []}, "equally long, found 2, 0 and 2"),
        ({"haystack_sessions": [[{"role": "robot", "content": "a"}], []]}, "role"),
        ({"answer": ["a"]}, "answer"),
        ({"question_id": "first"}, "found the question_id 'first' again"),
    ],
)
def test_a_mistake_is_refused_with_its_place(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(DatasetFormatError, match=message) as refused:
        _benchmark(tmp_path, _question(question_id="first"), _question(**changes))
    assert "questions.json: entry 1" in str(refused.value)


def test_types_limit_and_reported_errors_choose_questions(tmp_path: Path) -> None:
    questions = [
        _question(question_id="eac54add"),
        _question(question_id="b", question_type="multi-session"),
        _question(question_id="c", answer=3),
    ]
    assert len(_benchmark(tmp_path, *questions, limit=2).samples) == 2
    chosen = _benchmark(tmp_path, *questions, question_types=["single-session-user"], skip_reported_errors=True)
    assert [sample.tags["question_id"] for sample in chosen.samples] == ["c"]
    assert [(note.record_id, note.rule) for note in chosen.skipped] == [("eac54add", "reported_error")]
    assert chosen.samples[0].execution_sequence[0].step_evaluation_markers["expected_answer"] == "3"  # type: ignore[union-attr]
    text = json.dumps(questions)
    assert len(_benchmark(tmp_path, text=text[: text.index('"c"')], limit=2).samples) == 2
    with pytest.raises(DatasetFormatError, match="no questions of the types knowledge-update"):
        _benchmark(tmp_path, *questions, question_types=["knowledge-update"])


def test_at_most_two_haystacks_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark = _benchmark(tmp_path, *(_question(question_id=f"q{number}") for number in range(3)))
    read: list[int] = []

    def counted(path: Path, place: Any) -> Any:
        read.append(place.number)
        return json_array.read_at(path, place)

    monkeypatch.setattr("heams.benchmarks.longmemeval.dataset.read_at", counted)
    for _ in range(2):
        assert [benchmark.samples.id_at(place) for place in range(3)] == [one.id for one in benchmark.samples]  # type: ignore[attr-defined]
    assert benchmark.samples[2] is benchmark.samples[2]
    assert read == [0, 1, 2, 0, 1, 2]


@pytest.mark.parametrize("text", ["2023-05-30", "2023/13/01 (Mon) 10:00", "2023/05/30 (Tue) 25:00", ""])
def test_a_date_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="found"):
        parse_date(text)
