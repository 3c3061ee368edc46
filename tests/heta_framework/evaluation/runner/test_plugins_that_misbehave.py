"""Engines, evaluators and benchmarks that panic, cancel, never end or give what nobody asked for: no case is lost."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from tiny_benchmarks import Bench, Engine, Finds, response_of, tiny

from heta_framework.evaluation import BenchmarkDocument, BenchmarkRunConfig, BenchmarkRunResult
from heta_framework.evaluation.runner import evaluator_walk
from heta_framework.evaluation.runner.side_by_side import side_by_side
from heta_framework.evaluation.types import BenchmarkCase, EvaluationScore
from heta_framework.evaluation.types.raw_keys import segment
from heta_framework.kb import QueryEngineRegistry, QueryRequest, QueryResponse

pytestmark = pytest.mark.anyio


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


class Panic(BaseException):
    """As native code raises it, e.g. PyO3's ``PanicException``."""


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def raising(error: BaseException) -> Callable[[], Any]:
    def act() -> Any:
        raise error

    return act


async def cancels_itself() -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.sleep(1)


async def never_ends() -> None:
    for _ in range(3):
        try:
            await anyio.sleep_forever()
        except asyncio.CancelledError:
            continue


class Misbehaves:
    """Does something else than scoring, at one of the cases."""

    name = "odd"

    def __init__(self, act: Callable[[], Any]) -> None:
        self._act = act

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        if case.case_id == "c_d1" and (waits := self._act()) is not None:
            await waits
        return EvaluationScore(self.name, 1.0)


async def evaluated(bench: Bench, engine: Engine | None = None, **options: Any) -> BenchmarkRunResult:
    made = engine or Engine(lambda request: response_of("d0", "d1", "d2"))
    return await bench.run(tiny(3), "scripted", query_engines=QueryEngineRegistry([made]), **options)


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [(Panic("index out of bounds"), "Panic", "index out"), (UnspeakableError(), "UnspeakableError", "cannot be read")],
)
async def test_whatever_an_engine_raises_costs_its_own_case(
    bench: Bench, error: BaseException, kind: str, message: str
) -> None:
    def answer(request: QueryRequest) -> QueryResponse:
        if "d1?" in request.text:
            raise error
        return response_of("d0", "d2")

    result = await evaluated(bench, Engine(answer))
    assert [case.error and case.error.error_type for case in result.report.case_results] == [None, kind, None]
    assert message in str(result.report.case_results[1].error)


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (raising(Panic("x")), "Panic"),
        (raising(UnspeakableError()), "UnspeakableError"),
        (raising(asyncio.CancelledError()), "CancelledError"),
        (cancels_itself, "CancelledError"),
        (never_ends, "TimeoutError"),
    ],
    ids=["panics", "has no words", "raises a cancellation", "cancels its task", "never ends"],
)
async def test_whatever_an_evaluator_does_costs_its_own_score(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, act: Callable[[], Any], kind: str
) -> None:
    monkeypatch.setattr(evaluator_walk, "_OVERDUE_S", 0.02)
    monkeypatch.setattr("heta_framework.evaluation.runner.own_task._GRACE_S", 0.02)
    result = await evaluated(bench, evaluators=(Misbehaves(act), Finds()), query_timeout_s=0.05)
    assert [[score.name for score in case.scores] for case in result.report.case_results] == [
        ["odd", "finds"],
        ["finds"],
        ["odd", "finds"],
    ]
    assert result.report.case_results[1].metadata["evaluator_errors"]["odd"]["type"] == kind
    assert result.report.score_summary == {"scripted.finds": 1.0, "scripted.odd": pytest.approx(2 / 3)}


async def test_work_that_is_cancelled_from_within_is_not_taken_for_done() -> None:
    with pytest.raises(RuntimeError, match="cancelled from within"):
        await side_by_side(cancels_itself, 2)


async def test_documents_of_the_same_place_in_the_store_are_refused(bench: Bench) -> None:
    benchmark = tiny(2, texts={"a/b": "one text", segment("a/b"): "another text"})
    with pytest.raises(ValueError, match=r"'a/b' is kept as 'a_b-.*' in .*, which is the id of another document"):
        await bench.run(benchmark, "scripted", query_engines=QueryEngineRegistry([Engine(lambda _: response_of("d0"))]))


async def listed(items: list[Any]) -> list[Any]:
    return items


@pytest.mark.parametrize("given", [list, iter, listed], ids=["a list", "an iterator", "a coroutine's list"])
async def test_documents_may_come_as_anything_that_can_be_gone_through(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, given: Callable[[Any], Any]
) -> None:
    benchmark = tiny(3)
    documents = [BenchmarkDocument(f"d{n}", "text.txt", "text/plain", data=bytearray(b"text")) for n in range(3)]  # type: ignore[arg-type]
    monkeypatch.setattr(benchmark, "documents", lambda prepared: given(documents), raising=False)
    engines = QueryEngineRegistry([Engine(lambda request: response_of("d0"))])
    result = await bench.run(benchmark, "scripted", query_engines=engines)
    assert len(result.benchmark_document_keys) == 3


async def of_dicts(prepared: object) -> AsyncIterator[Any]:
    yield {"document_id": "d1"}


async def prepared_nothing(workspace: object) -> None:
    return None


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("documents", of_dicts, "yielded dict among its BenchmarkDocuments"),
        ("cases", of_dicts, "yielded dict among its BenchmarkCases"),
        ("run_units", lambda prepared: "corpus", "gave str for its BenchmarkRunUnits"),
        ("documents", lambda prepared: None, "gave NoneType for its BenchmarkDocuments"),
        ("prepare", prepared_nothing, r"prepare\(\) must return a PreparedBenchmark, found NoneType"),
        ("evaluators", lambda: None, "evaluators must be a sequence of evaluators, found NoneType"),
        ("evaluators", Finds, "evaluators must be a sequence of evaluators, found Finds"),
        ("evaluators", lambda: (Finds(name=3),), "the name of Finds must be a string, found int"),
    ],
)
async def test_a_benchmark_that_gives_something_else_is_told_what(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, name: str, given: Any, message: str
) -> None:
    benchmark = tiny(2)
    monkeypatch.setattr(benchmark, name, given, raising=False)
    with pytest.raises(TypeError, match=message):
        await bench.run(benchmark)


async def told(*what: object) -> None:
    """A watcher nobody would wait for."""


async def test_slips_in_what_is_asked_are_refused_before_anything_is_done(bench: Bench) -> None:
    with pytest.raises(ValueError, match=r"'candidate_topk'; did you mean 'candidate_top_k'\?"):
        await bench.run(tiny(2), query_options={"candidate_topk": 3})
    with pytest.raises(ValueError, match="query_options: rrf_k: "):
        await bench.run(tiny(2), query_options={"rrf_k": "many"})
    with pytest.raises(TypeError, match="on_case must be a plain function"):
        await bench.run(tiny(2), on_case=told)
    assert not list(bench.root.glob("objects/_heta/*"))


@pytest.mark.parametrize("given", [{"query_timeout_s": "3"}, {"trace": "no"}, {"persist_report": None}])
def test_settings_of_another_type_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=next(iter(given))):
        BenchmarkRunConfig(**given)
