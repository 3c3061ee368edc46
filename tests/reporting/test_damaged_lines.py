"""Garbage in the middle of a file costs itself and nothing else: readers skip it, and name it by file and line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from heams.orchestration.saved_lines import DamagedLine, result_key
from heams.reporting.digest import opened
from heams.reporting.line_source import execute_on_lines
from heams.reporting.load import ExperimentResults, load_results
from heams.reporting.relation import records_relation
from heams.reporting.reports import write_reports

Begin = Callable[..., Any]
Record = Callable[..., Any]

_KEY = {
    "run_id": "RUN",
    "sample_id": "z",
    "status": "completed",
    "experiment": "one",
    "sample_name": "?",
    "started_at": "2026-01-01T00:00:00Z",
    "finished_at": "2026-01-01T00:00:00Z",
}
GARBAGE = [
    "{broken",
    "",
    "5",
    "null",
    "[]",
    '"text"',
    "\x00\x00",
    '{"run_id": "RUN"}',
    '{"run_id": "RUN", "sample_id": "z"}',
    json.dumps(_KEY | {"sample_id": 5}),
    json.dumps(_KEY | {"sample_id": None}),
    json.dumps(_KEY | {"status": "great"}),
    json.dumps(_KEY | {"attempt": 0}),
    json.dumps(_KEY | {"repeat": 1.5}),
    json.dumps(_KEY | {"repeat": 2**70}),
    json.dumps(_KEY | {"records": 5}),
    json.dumps(_KEY | {"records": [{"evaluator": "judge", "metric": "f1", "value": "high"}]}),
    json.dumps(_KEY | {"transcript": {}}),
    json.dumps(_KEY | {"usage": {"agent": 3}}),
    json.dumps(_KEY | {"timings": {"answer": "fast"}}),
    json.dumps(_KEY) + json.dumps(_KEY),
    json.dumps(_KEY | {"sample_id": "\ud800"}),
    json.dumps({name: value for name, value in _KEY.items() if name != "sample_name"}),
]


@pytest.mark.parametrize("garbage", GARBAGE)
def test_garbage_among_results_changes_no_number(experiment: Begin, record: Record, garbage: str) -> None:
    one = experiment()
    one.add("a", record(0.0), attempt=1)
    one.add("b", record(0.25), repeat=1)
    one.add("a", record(1.0), attempt=2)
    clean = _seen(_experiment(one.directory))
    runs = one.directory / "runs.jsonl"
    lines = runs.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == 3
    for place in range(3):
        dirty = [*lines[:place], garbage.replace("RUN", one.run_id) + "\n", *lines[place:]]
        runs.write_text("".join(dirty), encoding="utf-8")
        found = _experiment(one.directory)
        assert _seen(found) == clean, place
        assert [(damage.file, damage.line) for damage in found.damaged] == [("runs.jsonl", place + 1)]


def _experiment(directory: Path) -> ExperimentResults:
    (found,) = load_results(directory).experiments
    return found


def _seen(found: ExperimentResults) -> tuple[Any, ...]:
    objects = [(result.sample_id, result.repeat, result.attempt, result.records) for result in found]
    rows = [row[5:] for row in records_relation([found]).fetchall()]
    with opened(found) as (digest, tables):
        scenarios = tables.rows("SELECT sample_id, repeat, attempt, status FROM scenarios ORDER BY position")
        return objects, sorted(rows, key=str), digest.metrics, scenarios, len(found)


def test_garbage_of_ingests_and_texts_is_skipped_and_named(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0), history_id="h")
    one.ingest("g")
    one.append("ingests.jsonl", '{"run_id": 5}\nnonsense\n')
    one.ingest("h")
    one.append("texts.jsonl", '{"id": "1", "text": "one"}\n{"id": "2", "text": 2}\n{"id": "3", "text": "three"}\n')
    found = _experiment(one.directory)
    assert [ingest.history_id for ingest in found.ingests()] == ["g", "h"]
    assert found.texts == {"1": "one", "3": "three"}
    with opened(found) as (digest, _):
        assert digest.ingestion.heard == 2
    assert [str(damage).partition(" ")[0] for damage in found.damaged] == [
        "ingests.jsonl:2",
        "ingests.jsonl:3",
        "texts.jsonl:2",
    ]


def test_reports_caution_before_the_first_number(experiment: Begin, record: Record, tmp_path: Path) -> None:
    for name in ("one", "two"):
        experiment(name).add("a", record(1.0))
    one = experiment("one")
    one.append("runs.jsonl", "{broken\n" * 7)
    one.add("b", record(1.0))
    reports = {path.parent.name: path.read_text(encoding="utf-8") for path in write_reports(tmp_path / "results")}
    for name in ("one", "results"):
        assert "7 lines are unreadable and left out: runs.jsonl:2 (" in reports[name]
        assert "and 2 more" in reports[name]
        assert reports[name].index("unreadable") < reports[name].index("| ")
    assert "unreadable" not in reports["two"]


def test_a_damaged_history_is_named(experiment: Begin) -> None:
    from heams.reporting.errors import ResultsError

    one = experiment()
    (one.directory / "histories").mkdir()
    (one.directory / "histories/h.jsonl").write_text('{"type": "turn"}\n{broken\n', encoding="utf-8")
    with pytest.raises(ResultsError, match=r"h\.jsonl: this history is damaged"):
        _experiment(one.directory).history("h")


def test_a_line_that_is_being_written_while_a_file_is_read_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b'{"id": "a"}\n')

    class Overtaken:
        """A connection that is slower than whoever writes the file."""

        asked = 0

        def execute(self, query: str, parameters: dict[str, Any]) -> duckdb.DuckDBPyConnection:
            self.asked += 1
            if self.asked == 1:
                with path.open("ab") as file:
                    file.write(b'{"id": "b"}\n{"id": ')
            return connection.execute(query, parameters)

    with duckdb.connect() as connection:
        slow: Any = Overtaken()
        execute_on_lines(slow, "CREATE TABLE ids AS SELECT id FROM {lines}", path, {"id": "VARCHAR"}, {})
        assert connection.execute("FROM ids").fetchall() == [("a",), ("b",)]


def test_a_key_that_is_missing_by_right_is_no_damage() -> None:
    key = result_key(json.dumps(_KEY | {"unknown": {"to": ["us"]}}).encode())
    assert (key["repeat"], key["attempt"]) == (0, 1)
    with pytest.raises(DamagedLine, match="sample_id: Field required"):
        result_key(b'{"run_id": "r", "status": "error"}')


def test_relations_of_one_connection_keep_their_own_rows(experiment: Begin, record: Record) -> None:
    experiment("one").add("a", record(1.0))
    experiment("two").add("b", record(0.5))
    first, second = load_results(experiment("one").directory), load_results(experiment("two").directory)
    with duckdb.connect() as connection:
        ones, twos = first.relation(connection), second.relation(connection)
        assert [row[0] for row in ones.fetchall()] == ["one"]
        assert [row[0] for row in twos.fetchall()] == ["two"]
        assert len(ones.union(twos).fetchall()) == 2
