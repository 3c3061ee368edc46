"""The report over all experiments: one table a benchmark, bounds at its ends, and what is not like with like."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heams.evaluation.records import EvaluationRecord
from heams.orchestration.results import Timings
from heams.reporting.bounds import Bound, bound_of
from heams.reporting.reports import write_reports

Begin = Callable[..., Any]
Record = Callable[..., Any]


@pytest.fixture
def filled(experiment: Begin, record: Record) -> Callable[..., Any]:
    """An experiment with ``values`` of the metric f1."""

    def fill(name: str, values: list[float], **config: Any) -> Any:
        folder = experiment(name, **config)
        for number, value in enumerate(values):
            folder.add(f"q{number}", record(value), timings=Timings(answer=0.5), recalled=[40])
        folder.status(total=len(values), finished=len(values))
        return folder

    return fill


def _report(tmp_path: Path) -> str:
    return write_reports(tmp_path / "results")[-1].read_text(encoding="utf-8")


def _table(report: str) -> list[list[str]]:
    lines = [line for line in report.split("## Like with like")[0].splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_bounds_stand_at_the_ends_of_the_table(filled: Callable[..., Any], tmp_path: Path) -> None:
    for memory in ("oracle", "vector", "no_memory", "full_context", "lexical"):
        filled(f"run_{memory}", [1.0, 0.0], memory=memory)
    rows = _table(_report(tmp_path))[2:]
    assert [(row[1], row[2]) for row in rows] == [
        ("no_memory", "*lower reference*"),
        ("lexical", "—"),
        ("vector", "—"),
        ("full_context", "*upper reference*"),
        ("oracle", "*upper reference*"),
    ]


def test_a_row_holds_the_headline_latency_cost_and_a_link(filled: Callable[..., Any], tmp_path: Path) -> None:
    filled("one", [1.0] * 5 + [0.0] * 5)
    head, _, row = _table(_report(tmp_path))
    cells = dict(zip(head, row, strict=True))
    assert cells["f1"] == "0.500 [0.237, 0.763], n 10"
    assert cells["scenarios"] == "10 of 10"
    assert cells["errors"] == "0"
    assert cells["recalled tokens, p50"] == "40"
    assert cells["answer, p50"] == "500 ms"
    assert cells["cost, USD"] == "0"
    assert cells["report"] == "[one](one/report.md)"


def test_each_benchmark_has_its_own_table(filled: Callable[..., Any], tmp_path: Path) -> None:
    filled("a", [1.0], label="first", benchmark={"data_file": "data/first.jsonl"})
    filled("b", [1.0], label="second", benchmark={"data_file": "data/second.jsonl"})
    filled("c", [1.0], label="made_up", benchmark={"type": "made_up"})
    titles = [line for line in _report(tmp_path).splitlines() if line.startswith("#")]
    assert titles == [
        "# Results: results", "## Overview", "## Performance", "### made_up", "### Own questions: first",
        "### Own questions: second",
    ]  # fmt: skip
    assert "## Like with like" not in _report(tmp_path)


def test_other_data_budgets_and_n_are_named(filled: Callable[..., Any], tmp_path: Path) -> None:
    filled("a", [1.0, 0.0])
    filled("b", [1.0], memory="vector", sha256="f" * 64, settings={"recall_budget": {"items": 5, "tokens": 100}})
    filled("c", [1.0, 0.0], memory="oracle", settings={"recall_budget": {"items": 99}})
    table = _report(tmp_path).split("## Like with like")[1]
    assert "| data: data_file | sha256 000000000000: a, c<br>sha256 ffffffffffff: b |" in table
    assert "| recall budget | 10 items: a<br>5 items and 100 tokens: b |" in table  # it does not bind the oracle
    assert "| n of f1 | 2: a, c<br>1: b |" in table


def test_settings_of_the_benchmark_are_compared_but_not_the_place_of_its_data(
    filled: Callable[..., Any], tmp_path: Path
) -> None:
    filled("a", [1.0], benchmark={"data_file": "here/questions.jsonl", "question_prompt": "Q: {question}"})
    filled(
        "b", [1.0], benchmark={"data_file": "there/questions.jsonl", "question_prompt": "Now: {question}"}, memory="m"
    )
    table = _report(tmp_path).split("## Like with like")[1]
    assert "benchmark: question_prompt" in table
    assert "benchmark: data_file" not in table
    assert "data: data_file" not in table


def test_overlapping_intervals_are_called_no_more_than_that(filled: Callable[..., Any], tmp_path: Path) -> None:
    filled("best", [1.0] * 9 + [0.0] * 3, memory="best")
    filled("near", [1.0] * 8 + [0.0] * 4, memory="near")
    filled("far", [0.0] * 12, memory="far")
    filled("oracle", [1.0] * 12, memory="oracle")
    report = _report(tmp_path)
    assert (
        "- **f1**: highest is best (0.750); its interval overlaps with near; its interval does not overlap with far."
        in report
    )
    assert "Intervals that overlap do not show that two systems are equal" in report


def test_a_missing_interval_is_not_called_an_overlap(filled: Callable[..., Any], tmp_path: Path) -> None:
    filled("a", [0.5, 0.6], memory="two")
    filled("b", [0.4, 0.4], memory="same")
    report = _report(tmp_path)
    assert "highest is two (0.550); there is no interval to set beside same." in report
    assert "No interval for f1 of same: all values are the same." in report


def test_rows_of_one_memory_are_told_apart(filled: Callable[..., Any], tmp_path: Path) -> None:
    filled("a", [1.0, 0.0])
    filled("b", [0.0, 0.0])
    filled("c", [0.0, 1.0], agent="other")
    assert (
        "highest are lexical (a) and lexical with other (0.500); the interval of lexical (a) overlaps with lexical (b)."
        in _report(tmp_path)
    )


def test_unfinished_experiments_are_named_first(filled: Callable[..., Any], tmp_path: Path) -> None:
    filled("done", [1.0])
    filled("cut", [1.0], memory="vector").status("interrupted", total=9, finished=1)
    lines = _report(tmp_path).splitlines()
    assert lines[2].startswith("**Incomplete:**")
    assert lines[4] == "- cut: the run was interrupted; 1 of 9 scenarios are finished"
    assert "| finished | every scenario: done<br>a part of the scenarios: cut |" in "\n".join(lines)


def test_metrics_that_are_absent_in_one_experiment_leave_a_dash(
    experiment: Begin, record: Callable[..., EvaluationRecord], tmp_path: Path
) -> None:
    experiment("a").add("q", record(1.0))
    experiment("b", memory="vector").add("q", record(1.0, metric="mrr"))
    head, _, first, second = _table(_report(tmp_path))
    assert head[3:5] == ["f1", "mrr"]
    assert (first[4], second[3]) == ("—", "—")


def test_bounds_are_known_from_saved_configurations() -> None:
    def config(memory: str, **provenance: Any) -> dict[str, Any]:
        return {"memory_system_config": {"type": memory}, "provenance": provenance}

    assert bound_of(config("full_context")) is Bound.FULL_CONTEXT
    assert bound_of(config("lexical")) is None
    assert bound_of(config("mine", memory_capabilities={"bound": True})) is Bound.OTHER
    assert bound_of(config("no_memory", agent_capabilities={"owns_memory": False})) is Bound.NO_MEMORY
    assert bound_of(config("no_memory", agent_capabilities={"owns_memory": True})) is None
    assert bound_of({}) is None


def test_several_benchmarks_have_an_overview(filled: Callable[..., Any], tmp_path: Path) -> None:
    for memory, benchmark, values in (("lexical", "x", [1.0]), ("lexical", "y", [0.0]), ("no_memory", "y", [0.5, 0.5])):
        filled(f"{memory}_{benchmark}", values, memory=memory, benchmark={"type": benchmark})
    overview = _report(tmp_path).split("## Overview")[1].split("## Performance")[0]
    assert _table(overview)[0] == ["agent", "memory system", "reference", "x: f1", "y: f1"]
    assert _table(overview)[2] == ["extractive", "no_memory", "*lower reference*", "—", "0.500, n 2"]
    assert [cell.partition(",")[0] for cell in _table(overview)[3][3:]] == ["1.000", "0.000"]


def test_benchmarks_of_one_name_are_told_apart_by_their_files(filled: Callable[..., Any], tmp_path: Path) -> None:
    filled("a", [1.0], label="strict")
    filled("b", [1.0], label="lenient")
    report = _report(tmp_path)
    assert "### Own questions: questions (lenient)" in report
    assert "### Own questions: questions (strict)" in report
