"""Means by hand: what counts, what counts 0, what is left out, and how many cases are behind each."""

from typing import Any

import pytest

from heta_framework.common.statistics import summarise
from heta_framework.common.stores import MemoryObjectStore
from heta_framework.evaluation.records import CaseLog, ScoreBook
from heta_framework.evaluation.types import EvaluationCaseResult, EvaluationError, EvaluationScore
from heta_framework.kb.search.types import QueryResponse

MODE = "vector_search"
UNLABELLED = {"skipped": True, "reason": "case has no expected evidence"}


def result(*scores: EvaluationScore, mode: str = MODE, **metadata: Any) -> EvaluationCaseResult:
    return EvaluationCaseResult("c", "q", mode, scores, QueryResponse(mode), metadata=metadata)


def failed(mode: str = MODE, **metadata: Any) -> EvaluationCaseResult:
    return EvaluationCaseResult("c", "q", mode, error=EvaluationError("m", "T"), metadata=metadata)


def score(value: Any, name: str = "recall@5", **metadata: Any) -> EvaluationScore:
    return EvaluationScore(name, value, metadata=metadata)


def book(*results: EvaluationCaseResult | tuple[EvaluationCaseResult, str], names: tuple[str, ...] = ()) -> ScoreBook:
    made = ScoreBook(names or ("recall@5",))
    for one in results:
        made.add(*one if isinstance(one, tuple) else (one, "corpus"))
    return made


def counted(made: ScoreBook, key: str = f"{MODE}.recall@5") -> tuple[Any, ...]:
    found = made.details()[key]
    return found["mean"], found["n"], found["failed"], found["unlabelled"]


def test_a_case_without_a_label_does_not_count() -> None:
    made = book(result(score(1.0)), result(score(1.0)), result(score(0.0, **UNLABELLED)))
    assert made.summary() == {f"{MODE}.recall@5": 1.0}
    assert counted(made) == (1.0, 2, 0, 1)


def test_a_failed_case_counts_zero() -> None:
    made = book(result(score(1.0)), result(score(1.0)), failed())
    assert made.summary() == {f"{MODE}.recall@5": 2 / 3}
    assert counted(made) == (2 / 3, 3, 1, 0)


def test_a_failed_case_without_a_label_does_not_count() -> None:
    made = book(result(score(1.0)), failed(unlabelled_evaluators=["recall@5"]))
    assert counted(made) == (1.0, 1, 0, 1)


def test_all_cases_failed_is_a_mean_of_zero_and_not_an_empty_summary() -> None:
    made = book(failed(), failed())
    assert made.summary() == {f"{MODE}.recall@5": 0.0}
    assert counted(made) == (0.0, 2, 2, 0)


def test_without_any_label_there_is_no_mean_but_the_count_is_told() -> None:
    made = book(result(score(0.0, **UNLABELLED)))
    assert made.summary() == {}
    assert counted(made) == (None, 0, 0, 1)


def test_an_evaluator_that_fails_costs_only_its_own_score() -> None:
    names = ("recall@5", "contains")
    error = {"contains": {"type": "ValueError", "message": "no"}}
    made = book(
        result(score(1.0), score(True, "answer_contains")), result(score(0.5), evaluator_errors=error), names=names
    )
    assert counted(made) == (0.75, 2, 0, 0)
    assert counted(made, f"{MODE}.answer_contains") == (0.5, 2, 1, 0)  # the name that its score has elsewhere
    assert sorted(made.summary()) == [f"{MODE}.answer_contains", f"{MODE}.recall@5"]


def test_an_evaluator_that_always_fails_is_told_by_its_own_name() -> None:
    made = book(result(evaluator_errors={"mine": {"type": "KeyError", "message": "x"}}), failed(), names=("mine",))
    assert counted(made, f"{MODE}.mine") == (0.0, 2, 2, 0)


def test_modes_are_apart() -> None:
    made = book(result(score(1.0)), result(score(0.0), mode="full_text_search"), failed("full_text_search"))
    assert made.summary() == {"full_text_search.recall@5": 0.0, f"{MODE}.recall@5": 1.0}
    assert counted(made, "full_text_search.recall@5") == (0.0, 2, 1, 0)


def test_texts_are_not_averaged() -> None:
    made = book(result(score("yes", "label")), failed(), names=("label",))
    assert made.summary() == made.details() == {}


def test_yes_and_no_count_one_and_zero() -> None:
    made = book(*(result(score(value)) for value in (True, True, False, True)))
    found = made.details()[f"{MODE}.recall@5"]
    assert found["mean"] == 0.75
    assert found["interval"] == {
        "low": pytest.approx(0.3006, abs=1e-4),
        "high": pytest.approx(0.9544, abs=1e-4),
        "method": "wilson",
    }


def test_units_have_their_own_figures_where_there_are_several() -> None:
    made = book(
        (result(score(1.0)), "a"), (result(score(0.5)), "a"), (failed(), "b"), (result(score(0.0, **UNLABELLED)), "b")
    )
    found = made.details()[f"{MODE}.recall@5"]
    assert found["units"] == {
        "a": {"mean": 0.75, "n": 2, "failed": 0, "unlabelled": 0},
        "b": {"mean": 0.0, "n": 1, "failed": 1, "unlabelled": 1},
    }
    assert (found["mean"], found["n"]) == (0.5, 3)
    assert "units" not in book(result(score(1.0))).details()[f"{MODE}.recall@5"]


@pytest.mark.parametrize("units", [1, 12])
def test_intervals_are_those_of_the_statistics_room(units: int) -> None:
    values = [(number * 37 % 101) / 101 for number in range(300)]
    clusters = [f"u{number % units}" for number in range(300)]
    made = book(*((result(score(value)), unit) for value, unit in zip(values, clusters, strict=True)))
    expected = summarise(values, clusters if units > 1 else None).interval
    assert expected is not None
    found = made.details()[f"{MODE}.recall@5"]["interval"]
    assert found == {
        "low": pytest.approx(expected.low),
        "high": pytest.approx(expected.high),
        "method": expected.method,
    }


@pytest.mark.anyio
async def test_saved_cases_make_the_same_book(memory_store: MemoryObjectStore, make_result: Any) -> None:
    names = ("recall@5", "contains")
    results = [make_result(f"c{n}", scores={"recall@5": n / 5, "contains": n % 2 == 0}) for n in range(5)]
    results.append(make_result("c5", failed=True, metadata={"unlabelled_evaluators": ["contains"]}))
    results.append(make_result("c6", metadata={"evaluator_errors": {"contains": {"type": "T", "message": "m"}}}))
    streamed = ScoreBook(names)
    async with await CaseLog.open(memory_store, "r", modes=(MODE,)) as log:
        for ordinal, one in enumerate(results):
            unit = f"u{ordinal % 2}"
            streamed.add(one, unit)
            log.submit(one, ordinal, unit)
        saved = await log.finish()
    read = ScoreBook.of_cases(saved, names)
    assert read.details() == streamed.details()
    assert read.summary() == streamed.summary() == {f"{MODE}.contains": 3 / 6, f"{MODE}.recall@5": 3 / 7}
