"""From results of cases to lines of a run: nothing that was owed is missing, and every line can be saved and read."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.orchestration.results import RunResult
from heams.orchestration.saved_lines import result_key
from heams.recipe_evaluation.projection import Projection
from heams.recipe_evaluation.verdicts import Verdicts
from heta_framework.common.durable_lines import TextBook
from heta_framework.common.models.usage import Usage
from heta_framework.evaluation.types import (
    BenchmarkCase,
    BenchmarkEvidence,
    BenchmarkExpected,
    EvaluationCaseResult,
    EvaluationError,
    EvaluationScore,
)
from heta_framework.kb.search.types import QueryCitation, QueryResponse, QueryResult

WHERE = {"benchmark_run_unit": "north", "knowledge_base_name": "kb-north"}


def _projection(*evaluators: str, shares_histories: bool = False) -> Projection:
    book = TextBook(lambda line: None, set())
    return Projection("experiment", "run", book, Verdicts(evaluators), shares_histories)


def _case(**fields: Any) -> BenchmarkCase:
    labels = (
        BenchmarkEvidence("a", metadata={"relevance": 2}),
        BenchmarkEvidence("b", metadata={"relevance": 0}),
        BenchmarkEvidence(locator={"document_id": "c"}, text="words"),
    )
    return BenchmarkCase("q", "Where?", BenchmarkExpected(("here", "there"), labels), **fields)


def _found(*scores: EvaluationScore, **fields: Any) -> EvaluationCaseResult:
    results = tuple(
        QueryResult(f"chunk{place}", f"text {place}", score, source={"document_id": document})
        for place, (document, score) in enumerate([("c", 3.0), ("x", None), ("a", 1.0), ("a", 0.5)])
    )
    response = QueryResponse("m", results, "here", (QueryCitation("citation_1", "chunk0"),))
    fields = {"response": response, "latency_ms": 250.0, "metadata": WHERE, **fields}
    return EvaluationCaseResult("q", "Where?", "m", scores, **fields)


def _line(projection: Projection, case: BenchmarkCase, found: EvaluationCaseResult) -> RunResult:
    """The result, as it is read again."""
    made = projection.result(case, found, {"memory": Usage(calls=1)}, attempt=2)
    line = made.model_dump_json(exclude_none=True).encode()
    result_key(line)
    return RunResult.model_validate_json(line)


def test_a_response_is_a_recall_and_a_reply() -> None:
    line = _line(_projection("recall@3"), _case(), _found(EvaluationScore("recall@3", 0.5, metadata={"matched": 1})))
    (step,) = line.transcript
    assert step.recalls is not None
    (recall,) = step.recalls
    assert (recall.ids, recall.scores) == (("c", "x", "a", "a"), (3.0, None, 1.0, 0.5))
    assert (step.reply, step.seconds, recall.seconds) == ("here", 0.25, 0.25)
    assert step.reply_metadata == {"citations": ["chunk0"]}
    assert step.action["step_evaluation_markers"] == {
        "expected_answer": ["here", "there"],
        "evidence": ["a", "c"],
        "evidence_relevance": {"a": 2, "b": 0},
    }
    (record,) = line.records
    assert (record.expected, record.observed) == ("a, c", "a (rank 3), c (rank 1)")
    assert record.audit == {"matched": 1, "ranks": {"a": 3, "c": 1}}
    assert (line.attempt, line.usage["memory"].calls, line.status) == (2, 1, "completed")


def test_each_kind_of_value_has_its_outcome() -> None:
    scores = (
        EvaluationScore("exact", True, True, {"matched_answers": ["here"]}),
        EvaluationScore("grade", "good enough"),
        EvaluationScore("f1", 0.0, metadata={"skipped": True, "reason": "no expected answers"}),
    )
    exact, grade, f1 = _line(_projection("exact", "grade", "f1"), _case(), _found(*scores)).records
    assert (exact.outcome, exact.value, exact.passed, exact.expected, exact.observed) == (
        "scored", 1.0, True, "here | there", "here",
    )  # fmt: skip
    assert (grade.outcome, grade.value, grade.observed) == ("unscored", None, "good enough")
    assert (f1.outcome, f1.value, f1.reason) == ("unscored", None, "no expected answers")


def test_a_failed_evaluator_is_an_error_under_the_name_of_its_measure() -> None:
    projection = _projection("first", "second")
    known = _found(EvaluationScore("measure@5", 1.0), EvaluationScore("second", 1.0))
    _line(projection, _case(), known)
    failure = {"evaluator_errors": {"first": {"type": "KeyError", "message": "'x'"}}}
    found = _found(EvaluationScore("second", 0.5), metadata={**WHERE, **failure})
    first, second = _line(projection, _case(), found).records
    assert (first.metric, first.evaluator, first.outcome, first.reason) == (
        "measure@5", "measure", "error", "KeyError: 'x'",
    )  # fmt: skip
    assert (second.metric, second.value) == ("second", 0.5)


def test_a_failed_query_owes_a_verdict_under_every_measure_that_has_a_label() -> None:
    error = EvaluationError("no response within 1 s", "TimeoutError", retryable=True)
    metadata = {**WHERE, "unlabelled_evaluators": ["second"]}
    line = _line(
        _projection("first", "second"), _case(), _found(response=None, error=error, latency_ms=None, metadata=metadata)
    )
    assert [(record.metric, record.outcome) for record in line.records] == [("first", "error"), ("second", "unscored")]
    assert line.error is not None
    assert (line.status, line.error.type, line.error.message) == ("error", "TimeoutError", "no response within 1 s")
    assert line.transcript[0].recalls is None


@pytest.mark.parametrize(("shares", "history"), [(True, "north"), (False, None)])
def test_questions_of_one_of_several_knowledge_bases_belong_together(shares: bool, history: str | None) -> None:
    assert _line(_projection(shares_histories=shares), _case(), _found()).history_id == history


def test_labels_become_tags_where_they_are_one_word_each() -> None:
    labels = {"kind": "hard", "hops": 2, "seen": True, "path": ["a"], "none": None}
    assert _line(_projection(), _case(labels=labels), _found()).tags == {"kind": "hard", "hops": "2", "seen": "true"}


@given(
    text=st.text(min_size=1).filter(str.strip),
    score=st.none() | st.floats(),
    metadata=st.dictionaries(st.text(), st.floats() | st.text() | st.lists(st.integers(), max_size=30), max_size=3),
)
def test_whatever_an_engine_returns_can_be_saved(text: str, score: float | None, metadata: dict[str, Any]) -> None:
    response = QueryResponse("m", (QueryResult("r", text, score),), metadata=metadata)
    found = _found(EvaluationScore("s", 1, metadata=metadata), response=response)
    line = _line(_projection("s"), _case(), found)
    assert line.records[0].value == 1.0
