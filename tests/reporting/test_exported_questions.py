"""What a saved result says of its questions: documents with scores, and labels, in the same ids."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from heams.evaluation.records import EvaluationRecord
from heams.orchestration.results import RunResult, SavedRecall, TranscriptStep
from heams.reporting.exporting.questions import JudgedQuestion, questions_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_question_has_the_scores_of_its_recall_and_a_label_of_1_for_each_evidence() -> None:
    asked = _step(_recall(("b", 0.5), ("a", 0.75), ("b", 0.25)), evidence=["a", "z"])
    assert _questions(asked) == [JudgedQuestion("s", {"b": 0.5, "a": 0.75}, {"a": 1, "z": 1})]


def test_graded_labels_are_kept_with_those_that_say_not_relevant() -> None:
    asked = _step(_recall(), evidence=["a", "some words"], evidence_relevance={"a": 3, "b": 0, "c": -1})
    assert _questions(asked) == [JudgedQuestion("s", {}, {"a": 3, "b": 0, "c": -1})]


def test_several_questions_of_a_sample_are_told_apart_by_the_step() -> None:
    steps = (_step(_recall(("a", 1.0))), _step(_recall(("b", 1.0)), index=2))
    assert [question.id for question in _questions(*steps)] == ["s:0", "s:2"]


def test_recalls_that_cannot_be_compared_count_1_over_the_rank() -> None:
    several = _step(_recall(("a", 0.1), ("b", 0.2)), _recall(("b", 9.0), ("c", 8.0)))
    assert _questions(several)[0].scores == {"a": 1.0, "b": 1 / 2, "c": 1 / 3}
    assert _questions(_step(_recall(("a", 0.5), ("b", None))))[0].scores == {"a": 1.0, "b": 1 / 2}


def test_an_item_that_holds_labelled_events_goes_by_their_ids() -> None:
    asked = _step(_recall(("chunk-1", 0.9), ("chunk-2", 0.8)), evidence=["t1", "t2", "t9"])
    judged = EvaluationRecord(
        evaluator="evidence_recall", metric="mrr", value=0.5, step_index=0, audit={"ranks": {"t1": 2, "t2": 2}}
    )
    (question,) = questions_of(_result(asked).model_copy(update={"records": (judged,)}))
    assert question.scores == {"chunk-1": 0.9, "t1": 0.8, "t2": 0.8}


def test_steps_that_ask_nothing_and_results_without_steps_are_no_questions() -> None:
    told = TranscriptStep(index=0, action={"type": "ingest_record"})
    assert _questions(told, _step(_recall(), index=1)) == [JudgedQuestion("s", {}, {})]
    assert _questions() == []


def _questions(*steps: TranscriptStep) -> list[JudgedQuestion]:
    return list(questions_of(_result(*steps)))


def _result(*steps: TranscriptStep) -> RunResult:
    return RunResult(
        run_id="r", sample_id="s", status="completed", experiment="e", sample_name="s", transcript=steps,
        started_at=NOW, finished_at=NOW,
    )  # fmt: skip


def _step(*recalls: SavedRecall, index: int = 0, **markers: Any) -> TranscriptStep:
    action = {"type": "user_stimulus", "content": "?", "step_evaluation_markers": markers}
    return TranscriptStep(index=index, action=action, recalls=recalls)


def _recall(*found: tuple[str, float | None]) -> SavedRecall:
    return SavedRecall(
        query="?",
        ids=tuple(item for item, _ in found),
        scores=tuple(score for _, score in found),
        tokens=(1,) * len(found),
        texts=("t",) * len(found),
    )
