"""A query or an evaluator that fails costs what it must and nothing else, and every mean says so."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
import stamina
from tiny_benchmarks import Bench, Engine, Finds, question, response_of, tiny

from heta_framework.common.models.errors import CallFailed, CostLimitReached, ModelRequestError
from heta_framework.evaluation.errors import AllCasesFailedError
from heta_framework.evaluation.records import load_report
from heta_framework.evaluation.types import BenchmarkCase, EvaluationCaseResult, EvaluationScore
from heta_framework.kb import QueryEngineRegistry, QueryRequest, QueryResponse

pytestmark = pytest.mark.anyio


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture(autouse=True)
def no_waiting_between_attempts() -> Iterator[None]:
    with stamina.set_testing(True, attempts=10, cap=True):
        yield


def number_of(request: QueryRequest) -> int:
    return int(request.text.split("number")[1].strip("d?"))


def failing_at(n: int, *errors: BaseException) -> Engine:
    """Finds every document; at the n-th question it raises these errors first, one an attempt."""
    left = list(errors)

    def answer(request: QueryRequest) -> QueryResponse:
        if number_of(request) == n and left:
            raise left.pop(0)
        return response_of(f"d{number_of(request)}")

    return Engine(answer)


async def run(bench: Bench, engine: Engine, count: int = 3, **options: Any) -> tuple[EvaluationCaseResult, ...]:
    engines = QueryEngineRegistry([engine])
    result = await bench.run(tiny(count), "scripted", query_engines=engines, **options)
    bench.report = result.report  # type: ignore[attr-defined]
    return tuple(result.report.case_results)


async def test_a_failed_case_counts_as_zero_in_the_mean_and_is_told(bench: Bench) -> None:
    cases = await run(bench, failing_at(1, LookupError("no such asset")))
    assert [case.error is None for case in cases] == [True, False, True]
    error = cases[1].error
    assert error is not None
    assert (error.error_type, error.message, error.retryable) == ("LookupError", "no such asset", False)
    details = bench.report.score_details["scripted.finds"]  # type: ignore[attr-defined]
    assert bench.report.score_summary == {"scripted.finds": pytest.approx(2 / 3)}  # type: ignore[attr-defined]
    assert (details["n"], details["failed"]) == (3, 1)


async def test_a_failed_case_without_a_label_is_left_out_of_the_mean(bench: Bench) -> None:
    unlabelled = BenchmarkCase("c9", "Where is number9?")
    benchmark = tiny(2, questions=[question(0), question(1), unlabelled])
    engines = QueryEngineRegistry([failing_at(9, LookupError("gone"))])
    report = (await bench.run(benchmark, "scripted", query_engines=engines)).report
    details = report.score_details["scripted.finds"]
    assert (details["mean"], details["n"], details["failed"], details["unlabelled"]) == (1.0, 2, 0, 1)


RETRYABLE = [
    TimeoutError("slow"),
    ConnectionResetError("reset"),
    CallFailed("busy", retryable=True),
]


@pytest.mark.parametrize("error", RETRYABLE, ids=lambda error: type(error).__name__)
async def test_a_failure_that_may_pass_is_tried_again(bench: Bench, error: Exception) -> None:
    cases = await run(bench, failing_at(1, error, error), retries=2)
    assert [case.error for case in cases] == [None, None, None]
    assert cases[1].metadata["attempts"] == 3
    assert "attempts" not in cases[0].metadata


async def test_what_a_model_error_says_of_its_cause_decides(bench: Bench) -> None:
    def answer(request: QueryRequest) -> QueryResponse:
        raise ModelRequestError("refused") from CallFailed("400", retryable=number_of(request) == 0)

    engine = Engine(answer)
    with pytest.raises(AllCasesFailedError):
        await run(bench, engine, count=2, retries=1)
    assert sorted(number_of(request) for request in engine.asked) == [0, 0, 1]


async def test_retries_end(bench: Bench) -> None:
    engine = failing_at(0, *[ConnectionError("down")] * 9)
    cases = await run(bench, engine, retries=2)
    assert cases[0].error is not None
    assert (cases[0].error.retryable, cases[0].error.metadata) == (True, {"attempts": 3})


async def test_a_hanging_query_costs_its_own_case(bench: Bench) -> None:
    async def answer(request: QueryRequest) -> QueryResponse:
        if number_of(request) == 1:
            await anyio.sleep_forever()
        return response_of(f"d{number_of(request)}")

    cases = await run(bench, Engine(answer), query_timeout_s=0.05, retries=0)  # type: ignore[arg-type]
    assert [case.error.error_type if case.error else None for case in cases] == [None, "TimeoutError", None]
    assert cases[1].error is not None
    assert "0.05 s" in cases[1].error.message


async def test_a_query_that_its_engine_cancels_does_not_end_the_run(bench: Bench) -> None:
    cases = await run(bench, failing_at(1, asyncio.CancelledError()))
    assert [case.error.error_type if case.error else None for case in cases] == [None, "CancelledError", None]


async def test_a_run_that_is_cancelled_ends_and_keeps_what_is_done(bench: Bench) -> None:
    async def answer(request: QueryRequest) -> QueryResponse:
        if number_of(request) == 3:
            await anyio.sleep_forever()
        return response_of(f"d{number_of(request)}")

    engine = Engine(answer)  # type: ignore[arg-type]
    with anyio.CancelScope() as scope:
        done: list[str] = []

        def stop(case: BenchmarkCase, result: EvaluationCaseResult) -> None:
            done.append(case.case_id)
            if len(done) == 3:
                scope.cancel()

        await run(bench, engine, count=4, on_case=stop)
    assert scope.cancelled_caught
    assert sorted(line["case_id"] for line in bench.lines()) == sorted(done) == ["c_d0", "c_d1", "c_d2"]
    again = failing_at(0)
    cases = await run(bench, again, count=4)
    assert [number_of(request) for request in again.asked] == [3]
    assert [case.case_id for case in cases] == ["c_d0", "c_d1", "c_d2", "c_d3"]


async def test_all_cases_failed_is_an_error_and_the_report_is_saved(bench: Bench) -> None:
    def answer(request: QueryRequest) -> QueryResponse:
        raise LookupError(f"nothing at {number_of(request)}")

    with pytest.raises(AllCasesFailedError, match=r"all 3 cases failed.*'c_d0'.*LookupError: nothing at 0") as caught:
        await run(bench, Engine(answer))
    assert caught.value.report_key is not None
    report = await load_report(bench.stores.objects, caught.value.report_key)
    assert report.score_summary == {"scripted.finds": 0.0}
    assert len(report.case_results) == 3


@pytest.mark.parametrize("error", [CostLimitReached("the run has spent 5 USD")])
async def test_a_limit_on_costs_ends_the_run_and_another_takes_it_up(bench: Bench, error: Exception) -> None:
    with pytest.raises(CostLimitReached):
        await run(bench, failing_at(2, error), max_concurrent_queries=1)
    assert len(bench.lines()) == 2
    again = failing_at(9)
    await run(bench, again)
    assert [number_of(request) for request in again.asked] == [2]


class Raises:
    name = "raises"

    def __init__(self, error: BaseException) -> None:
        self.error = error

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        if case.case_id == "c_d1":
            raise self.error
        return EvaluationScore("raises", 1.0)


class Returns(Raises):
    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        return self.error if case.case_id == "c_d1" else EvaluationScore("raises", 1.0)  # type: ignore[return-value]


class Hangs(Raises):
    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        if case.case_id == "c_d1":
            await anyio.sleep_forever()
        return EvaluationScore("raises", 1.0)


class NotFinite(Raises):
    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        return EvaluationScore("raises", float("nan") if case.case_id == "c_d1" else 1.0)


@pytest.mark.parametrize(
    ("evaluator", "kind"),
    [
        (Raises(KeyError("answer")), "KeyError"),
        (Raises(asyncio.CancelledError()), "CancelledError"),
        (Returns(0.5), "TypeError"),  # type: ignore[arg-type]
        (Hangs(ValueError()), "TimeoutError"),
        (NotFinite(ValueError()), "ValueError"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_an_evaluator_that_fails_costs_its_own_score(bench: Bench, evaluator: Any, kind: str) -> None:
    cases = await run(bench, failing_at(9), evaluators=(evaluator, Finds()), query_timeout_s=0.1)
    assert all(case.response is not None for case in cases)
    assert [score.name for score in cases[1].scores] == ["finds"]
    assert cases[1].metadata["evaluator_errors"]["raises"]["type"] == kind
    assert bench.report.score_summary == {  # type: ignore[attr-defined]
        "scripted.finds": 1.0,
        "scripted.raises": pytest.approx(2 / 3),
    }
    assert bench.report.score_details["scripted.raises"]["failed"] == 1  # type: ignore[attr-defined]


async def test_a_mode_that_cannot_be_asked_fails_its_own_cases(bench: Bench) -> None:
    report = (await bench.run(tiny(2), "vector_search", "heta_graph_search")).report
    assert report.score_summary == {"heta_graph_search.finds": 0.0, "vector_search.finds": 1.0}
    assert [case.query_mode for case in report.case_results] == ["vector_search", "heta_graph_search"] * 2
    assert {case.error.error_type for case in report.case_results if case.error} == {"LookupError"}
