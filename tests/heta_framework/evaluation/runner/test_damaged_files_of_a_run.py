"""Files of a run that were altered, cut or lost behind its back: it goes on from what is whole, or says what is not."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_benchmarks import Bench, Engine, Finds, response_of, tiny

from heta_framework.evaluation import BenchmarkRunResult
from heta_framework.evaluation.errors import ReportFileError
from heta_framework.kb import QueryEngineRegistry

pytestmark = pytest.mark.anyio
CASES = 6


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


async def played(bench: Bench, evaluator: str = "finds") -> tuple[BenchmarkRunResult, int]:
    """The run, and how often its engine was asked."""
    engine = Engine(lambda request: response_of(*(f"d{n}" for n in range(CASES))))
    benchmark = tiny(CASES, scoring=(Finds(evaluator),))
    return await bench.run(benchmark, "scripted", query_engines=QueryEngineRegistry([engine])), len(engine.asked)


def in_the_middle(data: bytes) -> bytes:
    half = len(data) // 2
    return data[:half] + bytes(30) + data[half + 30 :]


def one_letter(data: bytes) -> bytes:
    """A text that says something else, in an entry that looks whole."""
    return data.replace(b"text of d3", b"text of d9")


@pytest.mark.parametrize(
    "damage",
    [lambda data: None, lambda data: b"", lambda data: data[: len(data) // 2], in_the_middle, one_letter],
    ids=["gone", "empty", "cut", "overwritten", "altered"],
)
@pytest.mark.parametrize("evaluator", ["finds", "finds otherwise"])
async def test_cases_whose_texts_are_lost_are_asked_again(
    bench: Bench, damage: Callable[[bytes], bytes | None], evaluator: str
) -> None:
    first, _ = await played(bench)
    whole = [case.response for case in first.report.case_results]
    file = bench.file("texts.jsonl")
    left = damage(file.read_bytes())
    file.unlink()
    if left is not None:
        file.write_bytes(left)
    again, asked = await played(bench, evaluator)
    assert [case.response for case in again.report.case_results] == whole
    assert asked > 0
    assert again.report.score_summary == {f"scripted.{evaluator}": 1.0}


@pytest.mark.parametrize("content", [b"{}", b'{"needs": null, "started_at": "now"}', b"[]", b"", b"{"])
async def test_a_damaged_run_file_is_said(bench: Bench, content: bytes) -> None:
    await played(bench)
    bench.file("run.json").write_bytes(content)
    with pytest.raises(ReportFileError, match=r"run\.json .*choose another report_id"):
        await played(bench)


async def test_a_damaged_run_file_without_cases_is_written_anew(bench: Bench) -> None:
    await played(bench)
    bench.file("run.json").write_bytes(b"{")
    os.truncate(bench.file("cases.jsonl"), 0)
    result, asked = await played(bench)
    assert (asked, result.report.score_summary) == (CASES, {"scripted.finds": 1.0})


@pytest.mark.parametrize("evaluator", ["finds", "finds otherwise"])
async def test_a_saved_case_that_the_benchmark_does_not_have_is_said(bench: Bench, evaluator: str) -> None:
    await played(bench)
    file = bench.file("cases.jsonl")
    file.write_bytes(file.read_bytes().replace(b'"c_d1"', b'"c_x1"'))
    with pytest.raises(ReportFileError, match="holds a case 'c_x1'"):
        await played(bench, evaluator)
