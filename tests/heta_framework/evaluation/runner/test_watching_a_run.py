"""Whoever watches a run is told how far it is, and gets every case when it is durable."""

import io
import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from rich.console import Console
from tiny_benchmarks import FULL_TEXT, SCRIPTED, VECTOR, Bench, Engine, Finds, response_of, tiny

from heta_framework.evaluation.runner import RunProgress, progress_bar
from heta_framework.evaluation.types import BenchmarkCase, BenchmarkRunUnit, EvaluationCaseResult, EvaluationScore
from heta_framework.kb import QueryEngineRegistry, QueryRequest, QueryResponse

pytestmark = pytest.mark.anyio


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


async def test_progress_goes_through_the_phases_to_its_end(bench: Bench) -> None:
    seen: list[RunProgress] = []
    await bench.run(tiny(3), VECTOR, FULL_TEXT, progress=seen.append)
    assert list(dict.fromkeys(one.phase for one in seen)) == ["documents", "build", "query"]
    asked = [(one.done, one.total, one.failed) for one in seen if one.phase == "query"]
    assert asked == [(n, 6, 0) for n in range(1, 7)]
    steps = {one.message for one in seen if one.phase == "build"}
    assert {"index_vectors", "built"} <= steps
    seen.clear()
    await bench.run(tiny(3), VECTOR, FULL_TEXT, progress=seen.append, evaluators=(Finds("anew"),))
    assert [(one.done, one.total) for one in seen if one.phase == "score"] == [(n, 6) for n in range(1, 7)]


async def test_a_case_is_handed_out_when_its_line_is_on_the_disk(bench: Bench) -> None:
    handed: list[tuple[str, str]] = []

    def on_case(case: BenchmarkCase, result: EvaluationCaseResult) -> None:
        on_disk = {(line["case_id"], line["query_mode"]) for line in bench.lines()}
        assert (case.case_id, result.query_mode) in on_disk
        handed.append((case.case_id, result.query_mode))

    await bench.run(tiny(3), VECTOR, FULL_TEXT, on_case=on_case)
    assert sorted(handed) == sorted({(f"c_d{n}", mode) for n in range(3) for mode in (VECTOR, FULL_TEXT)})


async def test_a_watcher_that_fails_ends_the_run_and_loses_no_case(bench: Bench) -> None:
    def on_case(case: BenchmarkCase, result: EvaluationCaseResult) -> None:
        raise ZeroDivisionError("the watcher's own fault")

    with pytest.raises(ZeroDivisionError):
        await bench.run(tiny(3), on_case=on_case)
    assert bench.lines() != []
    result = await bench.run(tiny(3))
    assert len(result.report.case_results) == 3


async def test_the_bar_shows_cases_and_failures_and_takes_finished_builds_away(bench: Bench) -> None:
    units = tuple(BenchmarkRunUnit(f"u{n}", (f"d{n}",), (f"c_d{n}",)) for n in range(2))
    screen = io.StringIO()
    with progress_bar(Console(file=screen, force_terminal=True, width=120)) as bar:
        await bench.run(tiny(2, units=units), progress=bar)
        bar(RunProgress("query", "u0", 2, 2, failed=1))
    last = screen.getvalue().splitlines()[-1]
    assert "cases" in screen.getvalue()
    assert "1 failed" in screen.getvalue()
    assert "build" not in last
    quiet = io.StringIO()
    with progress_bar(Console(file=quiet)) as bar:
        bar(RunProgress("query", None, 1, 2))
    assert quiet.getvalue() == ""


async def test_run_json_is_strict_json_and_names_no_secret_of_memory(bench: Bench) -> None:
    class Plain:
        name = "plain"

        async def evaluate(self, *, case: BenchmarkCase, response: object) -> object:
            return await Finds().evaluate(case=case, response=response)  # type: ignore[arg-type]

    await bench.run(tiny(1), evaluators=(Plain(),), metadata={"path": Path("x"), "odd": float("nan")})
    run = json.loads(bench.file("run.json").read_text(), parse_constant=lambda name: pytest.fail(name))
    assert " at 0x" not in json.dumps(run["evaluators"])
    assert run["config"]["metadata"] == {"path": "x", "odd": "NaN"}


async def test_queries_go_on_side_by_side_up_to_the_limit(bench: Bench) -> None:
    at_work: set[str] = set()
    most = 0

    async def answer(request: QueryRequest) -> QueryResponse:
        nonlocal most
        at_work.add(request.text)
        most = max(most, len(at_work))
        await anyio.sleep(0.01)
        at_work.discard(request.text)
        return response_of("d0")

    units = tuple(BenchmarkRunUnit(f"u{n}", (), (f"c_d{2 * n}", f"c_d{2 * n + 1}")) for n in range(3))
    engines = QueryEngineRegistry([Engine(answer)])
    await bench.run(
        tiny(6, units=units), SCRIPTED, max_concurrent_queries=3, max_concurrent_units=3, query_engines=engines
    )
    assert most == 3


async def test_a_latency_is_of_the_query_alone(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 0.0
    monkeypatch.setattr("heta_framework.evaluation.runner.asking.perf_counter", lambda: clock)

    def answer(request: QueryRequest) -> QueryResponse:
        nonlocal clock
        clock += 0.25
        return response_of("d0")

    class TakesTime(Finds):
        async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
            nonlocal clock
            clock += 1000
            return await super().evaluate(case=case, response=response)

    engines = QueryEngineRegistry([Engine(answer)])
    given: dict[str, Any] = {"query_engines": engines, "evaluators": (TakesTime(),), "max_concurrent_queries": 1}
    result = await bench.run(tiny(3), SCRIPTED, **given)
    assert [case.latency_ms for case in result.report.case_results] == [250.0, 250.0, 250.0]
