"""The report of one experiment: numbers worked out by hand, and runs that are odd, empty, cut off or old."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heams.orchestration.results import ErrorInfo, Timings
from heams.reporting.errors import ResultsError
from heams.reporting.reports import write_reports
from heams.scenarios.usage import Usage
from heta_framework.common.config import dump_yaml

Begin = Callable[..., Any]
Record = Callable[..., Any]
_FIELDS = '"experiment": "one", "sample_name": "?", "started_at": "2026", "finished_at": "2026"}\n'


def _report(folder: Any) -> str:
    (path,) = write_reports(folder.directory)
    assert path == folder.directory / "report.md"
    return path.read_text(encoding="utf-8")


def _rows(report: str, section: str) -> list[list[str]]:
    """The cells of the first table under a heading, without its rule."""
    lines = report.split(f"{section}\n", 1)[1].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("|"))
    table = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return [table[0], *table[2:]]


def _means(report: str, section: str) -> dict[str, str]:
    """The means of the first metric by the name of the row."""
    return {row[0]: row[1].split(" ")[0] for row in _rows(report, section)[1:]}


def test_the_headline_states_value_interval_n_and_what_is_left_out(experiment: Begin, record: Record) -> None:
    one = experiment()
    for number in range(10):
        one.add(f"q{number}", record(float(number < 5)))
    one.add("bad", record(outcome="unscored"))
    one.status(total=11, finished=11)
    assert _rows(_report(one), "## Headline") == [
        ["metric", "value", "95 % interval", "method", "n", "unscored", "skipped", "errors (0)", "unsupported (0)"],
        ["f1", "0.500", "[0.237, 0.763]", "wilson", "10", "1", "0", "0", "0"],
    ]


def test_the_report_begins_with_benchmark_and_experiment(experiment: Begin, record: Record) -> None:
    one = experiment("my_experiment")
    one.add("a", record(1.0))
    one.status()
    report = _report(one)
    assert report.startswith("# Own questions: questions: my_experiment\n\n## Headline")
    facts = dict(_rows(report, "## What was run")[1:])
    assert facts["Agent"] == "extractive"
    assert facts["Benchmark"] == "questions (type jsonl_qa)"
    assert facts["Recall budget"] == "10 items"
    assert facts["Data"] == f"data_file: data/questions.jsonl, sha256 {'0' * 64}"
    assert facts["Scenarios"] == "1 of 1 with a result, 0 errors"
    assert facts["Versions"] == "heams 0.1.0"


def test_an_interrupted_run_says_so_first(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0))
    one.status("interrupted", total=40, finished=1)
    assert _report(one).splitlines()[2] == (
        "**Incomplete:** the run was interrupted; 1 of 40 scenarios are finished. The numbers below are those of "
        "what is there."
    )


def test_errors_are_not_finished_scenarios(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0))
    one.add("b", record(outcome="error"), status="error")
    one.status("interrupted", total=40, finished=1, errors=1, skipped=3, limit=40)
    report = _report(one)
    assert "the run was interrupted; 1 of 40 scenarios are finished, 1 ended in an error." in report
    facts = dict(_rows(report, "## What was run")[1:])
    assert facts["Scenarios"] == "2 of 40 with a result, 1 error, limited to the first 40 samples"
    assert facts["Records of the data set left out"] == "3 (skipped by the benchmark, not in any n)"


def test_a_run_that_was_killed_says_so(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0))
    one.status("running", total=2, finished=1)
    assert "the run is under way, or its process was ended from outside; 1 of 2 scenarios" in _report(one)


def test_a_run_without_any_result_has_a_report(experiment: Begin) -> None:
    one = experiment()
    one.status("failed", total=3, finished=0, message="disk | full")
    report = _report(one)
    assert "**Incomplete:** the run failed (disk &#124; full); 0 of 3 scenarios are finished." in report
    assert "No verdicts were saved." in report
    assert "No shared histories were heard." in report


def test_a_run_of_errors_only_says_so_and_names_them(experiment: Begin, record: Record) -> None:
    one = experiment()
    for number in range(3):
        error = ErrorInfo(phase=f"step {number}", type="Timeout", message="not done within 5 s")
        one.add(f"q{number}", record(outcome="error"), status="error", error=error)
    one.add("q3", status="error", error=ErrorInfo(phase="open", type="OSError", message="gone"))
    one.status(total=4, finished=0, errors=4)
    report = _report(one)
    assert "**Every scenario ended in an error:**" in report
    assert "**Missing from every mean:** 1 scenario ended in an error without owing any verdict." in report
    assert _rows(report, "## Headline")[1][:5] == ["f1", "0.000", "[0.000, 0.561]", "wilson", "3"]
    assert _rows(report, "## Errors")[1:] == [
        ["Timeout", "step", "3", "q0", "not done within 5 s"],
        ["OSError", "open", "1", "q3", "gone"],
    ]
    assert "## Worst cases" not in report


def test_a_configuration_with_nothing_in_it_survives(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0))
    for config in ({}, {"provenance": None, "settings": None, "benchmark_config": "gone"}):
        (one.directory / f"experiment_config.{one.run_id}.yaml").write_text(dump_yaml(config))
        report = _report(one)
        assert report.startswith("# unknown: one\n")
        assert "how many scenarios the run has was not saved; 1 result found" in report
        assert dict(_rows(report, "## What was run")[1:])["Recall budget"] == "unknown (not saved)"


def test_hostile_text_of_a_model_stays_text(experiment: Begin, record: Record) -> None:
    one = experiment()
    evil = "x | y\n\n# Owned\n<script>alert(1)</script> `code` [link](http://evil.invalid) ![](http://evil.invalid)"
    one.add(
        "a|b", record(0.0, expected=evil, observed=evil, reason=evil, tags={"category": evil, "kind": "1"}),
        record(outcome="unscored", metric="m|n", reason=evil, tags={"category": "other", "kind": "2"}),
        sample_name=evil,
    )  # fmt: skip
    one.add("c", status="error", error=ErrorInfo(phase="open", type="<b>", message=evil))
    one.ingest("h|1", unsupported=(evil,))
    one.status(message=evil, state="failed")
    report = _report(one)
    assert "<script>" not in report
    assert "http://" not in report
    assert "\n# Owned" not in report
    for line in report.splitlines():
        if line.startswith("|") and "Owned" in line:
            assert line.count("|") in (4, 6, 9)  # the borders of whole tables, and none from the text
    worst = _rows(report, "## Worst cases by f1")
    assert len(worst[1]) == len(worst[0])
    assert worst[1][0] == "a&#124;b"


def test_sub_metric_tables_come_from_tags(experiment: Begin, record: Record) -> None:
    one = experiment()
    for number, (category, city) in enumerate([("easy", "Oslo"), ("easy", "Bern"), ("hard", "Oslo"), ("hard", "Bern")]):
        tags = {"category": category, "city": city, "category_id": category[0], "id": str(number), "same": "x"}
        one.add(f"q{number}", record(number / 4, tags=tags))
    report = _report(one)
    assert [line for line in report.splitlines() if line.startswith("### By")] == [
        "### By criterion", "### By city", "### By id",
    ]  # fmt: skip
    assert "The tags “category”, “category_id” divide the questions into the same groups" in report
    assert _means(report, "### By criterion") == {"easy": "0.125", "hard": "0.625"}
    assert _means(report, "### By city") == {"Bern": "0.500", "Oslo": "0.250"}


def test_a_criterion_tag_of_a_record_takes_precedence(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0, tags={"category": "x", "criterion": "Named"}))
    one.add("b", record(0.0, tags={"category": "x"}))
    rows = _rows(_report(one), "### By criterion")
    assert [row[0] for row in rows[1:]] == ["Named", "x"]


def test_records_without_a_tag_have_their_own_row(experiment: Begin, record: Record) -> None:
    one = experiment()
    for number, category in enumerate(["x", "y", None]):
        one.add(f"q{number}", record(1.0, tags={"category": category} if category else {}))
    assert [row[0] for row in _rows(_report(one), "### By criterion")[1:]] == ["x", "y", "(none)"]


@pytest.mark.parametrize("questions", [10, 31])
def test_tags_that_name_single_records_make_no_table(questions: int, experiment: Begin, record: Record) -> None:
    one = experiment()
    for number in range(questions):
        one.add(f"q{number}", record(1.0, tags={"id": str(number)}))
    assert "## Sub-metrics" not in _report(one)


def test_latency_and_recalled_tokens_are_percentiles_of_finished_scenarios(experiment: Begin, record: Record) -> None:
    one = experiment()
    for number, seconds in enumerate([0.1, 0.2, 0.3, 0.4, 5.0]):
        one.add(
            f"q{number}", record(1.0), recalled=[100 * number, 10],
            timings=Timings(answer=seconds, recall=seconds / 2, evaluate=0.01, total=2 * seconds),
        )  # fmt: skip
    one.add("failed", status="error", timings=Timings(answer=300.0))
    rows = {row[0]: row[1:] for row in _rows(_report(one), "## Latency and recall")[1:]}
    assert rows["answer"] == ["300 ms", "4.08 s", "5"]
    assert rows["recall"] == ["150 ms", "2.04 s", "5"]
    assert rows["evaluate"] == ["10.0 ms", "10.0 ms", "5"]
    assert rows["recalled tokens"] == ["210", "390", "5"]


def test_an_unknown_price_makes_the_sum_unknown(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(outcome="error"), status="error", usage={"agent": Usage(calls=1, input_tokens=7, cost_usd=0.5)})
    one.add("a", record(1.0), attempt=2, usage={
        "agent": Usage(calls=2, input_tokens=1000, output_tokens=30, cached_tokens=4, cost_usd=0.25),
        "judge": Usage(calls=1, input_tokens=50, cost_usd=None, estimated=True),
    })  # fmt: skip
    one.ingest("h", usage={"memory": Usage(calls=3, input_tokens=5, cost_usd=1.0)})
    one.ingest("h", usage={"memory": Usage(calls=1, input_tokens=5, cost_usd=0.125)}, attempt=2)
    assert _rows(_report(one), "## Model usage")[1:] == [
        ["answering", "agent", "2", "1,000", "30", "4", "0.2500"],
        ["judging", "judge", "1", "≈50", "≈0", "≈0", "unknown"],
        ["attempts that were repeated", "agent", "1", "7", "0", "0", "0.5000"],
        ["ingestion", "memory", "4", "10", "0", "0", "1.1250"],
        ["total", "—", "8", "≈1,067", "≈30", "≈4", "unknown"],
    ]


def test_one_price_among_many_that_was_not_saved_makes_a_sum_unknown(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0), usage={"agent": Usage(calls=1, cost_usd=0.5)})
    line = '{"run_id": "%s", "sample_id": "%s", "status": "completed", "usage": {"agent": {"calls": 1}}, ' + _FIELDS
    one.append("runs.jsonl", line % (one.run_id, "b"))
    one.ingest("h", usage={"embedding": Usage(calls=1, cost_usd=0.5)})
    line = '{"run_id": "%s", "history_id": "%s", "status": "completed", "usage": {"embedding": {"calls": 1}}}\n'
    one.append("ingests.jsonl", line % (one.run_id, "i"))
    rows = _rows(_report(one), "## Model usage")[1:]
    assert [(row[0], row[2], row[-1]) for row in rows] == [
        ("answering", "2", "unknown"),
        ("ingestion", "2", "unknown"),
        ("total", "4", "unknown"),
    ]


def test_ingestion_counts_histories_attempts_and_what_was_not_supported(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0), history_id="h1")
    one.ingest("h1", status="error", error=ErrorInfo(phase="ingest", type="OSError", message="first"), seconds=9.0)
    one.ingest("h1", attempt=2, seconds=1.0, events=100, unsupported=("clock_advance: no clock",))
    one.ingest("h2", seconds=3.0, events=50, unsupported=("clock_advance: no clock",))
    one.ingest("h2", restored=True, seconds=0.01, events=50)
    one.ingest("h3", status="error", error=ErrorInfo(phase="ingest", type="OSError", message="last"))
    report = _report(one)
    assert _rows(report, "## Ingestion")[1] == [
        "direct", "fork", "3", "2", "1", "150", "4.00 s", "2.00 s", "2.90 s", "2", "2",
    ]  # fmt: skip
    assert "1 history could not be heard at all." in report
    assert "| OSError | 2 | h3 | last |" in report
    assert "- clock_advance: no clock (2 histories)" in report


def test_the_worst_cases_are_the_lowest_and_take_turns(experiment: Begin, record: Record) -> None:
    one = experiment()
    for number in range(12):
        tags = {"category": "common" if number < 11 else "rare"}
        one.add(f"q{number}", record(0.0, tags=tags, expected="gold", observed=f"answer {number}", reason="no overlap"))
    one.add("better", record(0.5, tags={"category": "common"}))
    one.add("right", record(1.0, tags={"category": "common"}))
    rows = _rows(_report(one), "## Worst cases by f1")
    assert rows[0] == [
        "sample", "question", "f1", "expected", "observed", "reason", "recalled first", "evidence missed",
    ]  # fmt: skip
    assert rows[1] == ["q0", "Question q0?", "0.000", "gold", "answer 0", "no overlap", "nothing", "—"]
    assert rows[2][0] == "q11"  # the other criterion has its turn
    assert [row[0] for row in rows[3:]] == [f"q{number}" for number in range(1, 9)]


def test_cases_that_passed_are_never_among_the_worst(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("leak", record(1.0, metric="leak_rate", passed=False))
    one.add("fine", record(0.0, metric="leak_rate", passed=True))
    assert [row[0] for row in _rows(_report(one), "## Worst cases by leak_rate")[1:]] == ["leak"]


def test_perfect_experiments_have_no_worst_cases(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0))
    assert "## Worst cases" not in _report(one)


def test_verdicts_without_a_value_are_listed_with_their_reason(experiment: Begin, record: Record) -> None:
    one = experiment()
    for number in range(3):
        one.add(f"q{number}", record(outcome="unscored", reason="the step has no label"), record(1.0, metric="other"))
    assert _rows(_report(one), "## Verdicts without a value")[1:] == [
        ["unscored", "f1", "the step has no label", "3", "q0"]
    ]


@pytest.mark.parametrize(
    ("memory", "words"),
    [("no_memory", "lower reference: it remembers nothing"), ("oracle", "upper reference: it is told which events")],
)
def test_a_bound_says_what_it_is(experiment: Begin, record: Record, memory: str, words: str) -> None:
    one = experiment(memory=memory)
    one.add("a", record(1.0))
    report = _report(one)
    assert f"**A reference, not a competitor:** {memory} ({words}" in report
    assert "10 items; not applied to a reference" in report


def test_an_agent_that_owns_its_memory_is_no_bound(experiment: Begin, record: Record) -> None:
    declared = experiment("a", memory="no_memory", provenance={"agent_capabilities": {"owns_memory": True}})
    declared.add("a", record(1.0))
    heard = experiment("b", memory="no_memory")
    heard.add("a", record(1.0))
    heard.ingest("h", ingestion="agent_owned")
    for folder in (declared, heard):
        assert "reference" not in _report(folder)


def test_an_older_run_can_be_asked_for(experiment: Begin, record: Record) -> None:
    old = experiment(run_id="20250101T000000000Z-aaaaaa")
    old.add("a", record(0.25))
    new = experiment(run_id="20260101T000000000Z-bbbbbb")
    new.add("a", record(0.75))
    assert "| f1 | 0.750 |" in _report(new)
    write_reports(old.directory, run_id="20250101T000000000Z-aaaaaa")
    assert "| f1 | 0.250 |" in (old.directory / "report.md").read_text()


def test_a_report_that_cannot_be_written_is_an_error_in_words(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0))
    (one.directory / "report.md").mkdir()
    with pytest.raises(ResultsError, match=r"report\.md: a folder stands in the place of the report"):
        write_reports(one.directory)


def test_the_common_report_comes_last(experiment: Begin, record: Record, tmp_path: Path) -> None:
    for name in ("one", "two"):
        experiment(name).add("a", record(1.0))
    root = tmp_path / "results"
    assert write_reports(root) == [root / "one/report.md", root / "two/report.md", root / "report.md"]
