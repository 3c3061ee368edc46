"""Results are read whatever a process that was killed, or another version, left behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heams.reporting.errors import ResultsError
from heams.reporting.load import load_results
from heams.reporting.relation import records_relation
from heams.reporting.tables import ExperimentTables

Begin = Callable[..., Any]
Record = Callable[..., Any]


def test_a_half_written_last_line_is_left_out_by_every_reader(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0), history_id="h")
    one.ingest("h")
    line = (one.directory / "runs.jsonl").read_text()
    one.append("runs.jsonl", line[:-1].replace('"a"', '"b"'))  # a whole object, but not a whole line
    one.append("ingests.jsonl", '{"run_id": "2026')
    one.append("texts.jsonl", '{"id": "1", "text": "one"}\n{"id": "2", "te')
    results = load_results(one.directory)
    assert [result.sample_id for result in results] == ["a"]
    assert results.relation().fetchall()[0][5] == "a"
    assert len(results.experiments[0].ingests()) == 1
    assert results.experiments[0].texts == {"1": "one"}
    with ExperimentTables(results.experiments[0]) as tables:
        assert tables.rows("SELECT sample_id FROM scenarios") == [("a",)]
    assert (one.directory / "runs.jsonl").read_text().endswith(line[:-1].replace('"a"', '"b"'))


def test_a_line_of_many_megabytes_is_read(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0, observed="x" * 40_000_000))
    (results,) = load_results(one.directory).experiments
    with ExperimentTables(results) as tables:
        assert tables.row("SELECT length(observed), contribution FROM records") == (400, 1.0)
    assert len(records_relation([results]).fetchall()) == 1


def test_lines_without_repeat_and_attempt_are_first_plays(experiment: Begin) -> None:
    one = experiment()
    for value in (0, 1):
        one.append(
            "runs.jsonl",
            f'{{"run_id": "{one.run_id}", "sample_id": "{value}", "status": "completed", "future": 1, '
            '"experiment": "one", "sample_name": "?", "started_at": "2026", "finished_at": "2026", '
            f'"records": [{{"evaluator": "j", "metric": "m", "value": {value}}}]}}\n',
        )
    (results,) = load_results(one.directory).experiments
    with ExperimentTables(results) as tables:
        assert tables.rows("SELECT sample_id, repeat, contribution FROM records ORDER BY sample_id") == [
            ("0", 0, 0.0),
            ("1", 0, 1.0),
        ]
    assert len(load_results(one.directory).relation().fetchall()) == 2


def test_a_result_of_another_version_is_named_and_not_a_traceback(experiment: Begin) -> None:
    one = experiment()
    one.add("a")
    runs = one.directory / "runs.jsonl"
    runs.write_text(runs.read_text(encoding="utf-8").replace('"experiment"', '"future": 1, "experiment"'), "utf-8")
    with pytest.raises(ResultsError, match="another version of heams: future"):
        list(load_results(one.directory))


def test_the_relation_has_the_documented_columns(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(0.5, tags={"category": "x"}, expected="e", observed="o"), history_id="h")
    relation = load_results(one.directory).relation()
    assert relation.columns == [
        "experiment", "agent", "memory_system", "benchmark", "run_id", "sample_id", "repeat", "attempt", "status",
        "history_id", "seconds", "step_index", "evaluator", "metric", "outcome", "value", "passed", "expected",
        "observed", "reason", "tags",
    ]  # fmt: skip
    row = dict(zip(relation.columns, relation.fetchall()[0], strict=True))
    assert (row["agent"], row["memory_system"], row["benchmark"]) == ("extractive", "lexical", "questions")
    assert (row["value"], row["expected"], row["tags"]) == (0.5, "e", {"category": "x"})


def test_only_experiment_folders_are_taken_for_experiments(experiment: Begin, record: Record, tmp_path: Path) -> None:
    one = experiment()
    one.add("a", record(1.0))
    for folder in ("histories", "snapshots", "_rollup/jsonl_qa"):
        (one.directory / folder).mkdir(parents=True)
        (tmp_path / "results" / folder).mkdir(parents=True)
    inner = one.directory / "snapshots" / "experiment_config.x.yaml"
    inner.write_text("run_id: x\n")
    (tmp_path / "results" / "_rollup" / "experiment_config.x.yaml").write_text("run_id: x\n")
    assert [found.name for found in load_results(tmp_path / "results").experiments] == ["one"]
    assert [found.name for found in load_results(one.directory).experiments] == ["one"]


def test_a_folder_without_results_is_named(tmp_path: Path, experiment: Begin) -> None:
    with pytest.raises(ResultsError, match="no such folder"):
        load_results(tmp_path / "gone")
    with pytest.raises(ResultsError, match="no results here"):
        load_results(tmp_path)
    experiment()
    with pytest.raises(ResultsError, match="no results of run other"):
        load_results(tmp_path / "results", run_id="other")
