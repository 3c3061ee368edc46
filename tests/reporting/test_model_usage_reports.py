"""What reports say of model calls: by part and role, from whom replies came, what they saved; old results too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heams.cli.summary import print_summary
from heams.reporting.digest import opened
from heams.reporting.load import load_results
from heams.reporting.reports import write_reports
from heams.reporting.spending import Spent, total
from heams.scenarios.usage import Usage

Begin = Callable[..., Any]
Record = Callable[..., Any]
PAID = Usage(calls=4, input_tokens=400, output_tokens=40, cost_usd=0.5, seconds=8.0, retries=3, possibly_billed=1)
FOUND = Usage(cache_hits=12, saved_input_tokens=90, saved_output_tokens=9, saved_cost_usd=1.5)
OLD = {"calls": 2, "input_tokens": 20, "output_tokens": 2, "cached_tokens": 0, "cost_usd": 0.25, "estimated": False}


def _tables(report: Path) -> list[list[list[str]]]:
    """The cells of the tables under "Model usage"."""
    text = report.read_text(encoding="utf-8").split("## Model usage")[1].split("\n## ")[0]
    blocks = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    return [[[cell.strip() for cell in row.strip("|").split("|")] for row in [b[0], *b[2:]]] for b in blocks]


def test_parts_and_roles_have_rows_and_calls_a_table_of_their_own(
    experiment: Begin, record: Record, tmp_path: Path
) -> None:
    one = experiment()
    one.add("a", record(1.0), usage={"agent": PAID, "judge": FOUND + PAID, "memory": Usage(replayed=2)})
    one.ingest("h", usage={"memory": PAID})
    own, _ = write_reports(tmp_path / "results")
    usage, calls = _tables(own)
    assert [row[:3] + row[-1:] for row in usage[1:]] == [
        ["answering", "agent", "4", "0.5000"],
        ["answering", "memory", "0", "0"],
        ["judging", "judge", "4", "0.5000"],
        ["ingestion", "memory", "4", "0.5000"],
        ["total", "—", "12", "1.5000"],
    ]
    assert calls[0] == [
        "part", "role", "seconds a call", "retries", "possibly billed", "from the cache", "hit rate",
        "from a cassette", "saved, USD", "cost without cache, USD",
    ]  # fmt: skip
    assert calls[3] == ["judging", "judge", "2.00 s", "3", "1", "12", "75.0%", "0", "1.5000", "2.0000"]
    assert calls[2] == ["answering", "memory", "—", "0", "0", "0", "—", "2", "0", "0"]
    assert calls[-1] == ["total", "—", "2.00 s", "9", "3", "12", "50.0%", "2", "1.5000", "3.0000"]
    assert "3 attempts may have been billed" in own.read_text(encoding="utf-8")


def test_without_a_cache_its_columns_are_left_out(experiment: Begin, record: Record, tmp_path: Path) -> None:
    experiment().add("a", record(1.0), usage={"agent": PAID})
    own, common = write_reports(tmp_path / "results")
    assert _tables(own)[1] == [
        ["part", "role", "seconds a call", "retries", "possibly billed"],
        ["answering", "agent", "2.00 s", "3", "1"],
    ]
    assert "without cache" not in common.read_text(encoding="utf-8")


def test_the_common_report_compares_costs_without_cache(experiment: Begin, record: Record, tmp_path: Path) -> None:
    experiment("first", memory="lexical").add("a", record(1.0), usage={"agent": PAID})
    experiment("second", memory="vector").add("a", record(1.0), usage={"agent": FOUND})
    *_, common = write_reports(tmp_path / "results")
    first = next(block for block in common.read_text(encoding="utf-8").split("\n\n") if block.startswith("| "))
    rows = [line.split(" | ") for line in first.splitlines()]
    place = rows[0].index("cost, USD")
    assert rows[0][place + 1] == "cost without cache, USD"
    assert [row[place : place + 2] for row in rows[2:]] == [
        ["0.5000", "0.5000"],
        ["0", "1.5000"],
    ]


def test_an_unknown_price_leaves_what_was_saved_unknown(experiment: Begin, record: Record, tmp_path: Path) -> None:
    usage = Usage(cache_hits=1, saved_input_tokens=5, saved_cost_usd=None)
    experiment().add("a", record(1.0), usage={"agent": usage})
    own, _ = write_reports(tmp_path / "results")
    used, calls = _tables(own)
    assert used[1][-1] == "0"
    assert calls[1][-2:] == ["unknown", "unknown"]


def test_results_from_before_these_fields_are_counted_with_newer_ones(
    experiment: Begin, record: Record, tmp_path: Path
) -> None:
    one = experiment()
    one.add("a", record(1.0), usage={"agent": PAID + FOUND})
    line = json.loads((one.directory / "runs.jsonl").read_text(encoding="utf-8"))
    one.append("runs.jsonl", json.dumps(line | {"sample_id": "b", "usage": {"agent": OLD}}) + "\n")
    one.ingest("h")
    old = json.loads((one.directory / "ingests.jsonl").read_text(encoding="utf-8")) | {"usage": {"memory": OLD}}
    one.append("ingests.jsonl", json.dumps(old) + "\n")
    (results,) = load_results(tmp_path / "results").experiments
    with opened(results) as (digest, _):
        assert not digest.damaged
        assert digest.spent == (
            Spent("answering", "agent", PAID + FOUND + Usage.model_validate(OLD)),
            Spent("ingestion", "memory", Usage.model_validate(OLD)),
        )
        assert total(digest.spent).full_cost_usd == pytest.approx(0.5 + 1.5 + 0.25 + 0.25)
    assert sum(result.usage["agent"].calls for result in results) == 6


def test_numbers_below_zero_damage_their_line_and_nothing_else(
    experiment: Begin, record: Record, tmp_path: Path
) -> None:
    one = experiment()
    one.add("a", record(1.0), usage={"agent": PAID})
    line = json.loads((one.directory / "runs.jsonl").read_text(encoding="utf-8"))
    one.append("runs.jsonl", json.dumps(line | {"sample_id": "b", "usage": {"agent": OLD | {"retries": -1}}}) + "\n")
    (results,) = load_results(tmp_path / "results").experiments
    with opened(results) as (digest, _):
        assert [damage.line for damage in digest.damaged] == [2]
        assert total(digest.spent).usage == PAID


def test_the_terminal_says_calls_and_cost_of_each_and_of_all(
    experiment: Begin, record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("COLUMNS", "200")
    experiment("first", memory="lexical").add("a", record(1.0), usage={"agent": PAID})
    experiment("second", memory="vector").add("a", record(1.0), usage={"agent": PAID + FOUND})
    print_summary(tmp_path / "results", ["first", "second"], Path("results"))
    said = capsys.readouterr().out
    assert "Cost, USD: lexical 0.5000; vector 0.5000." in said
    assert "Model calls: lexical 4 (1 possibly billed without a reply); vector 4 (12 from the cache, 1 possibly" in said
    assert "Together: 8 model calls, 1.0000 USD (2.5000 USD without cache and cassette)." in said


def test_what_the_memory_cost_is_told_apart_from_what_its_judge_did(
    experiment: Begin, record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = experiment("first", memory="facts")
    one.add("a", record(1.0), usage={"agent": PAID, "judge": PAID})
    one.ingest("h", usage={"memory": PAID})
    print_summary(tmp_path / "results", ["first"], Path("results"))
    parts = "answering 0.5000, judging 0.5000, ingestion 0.5000"
    assert f"Cost, USD: facts 1.5000 ({parts})." in capsys.readouterr().out
    *_, common = write_reports(tmp_path / "results")
    page = common.read_text(encoding="utf-8")
    assert "| extractive | facts | ingestion | memory | 4 | 400 | 40 | 0 | 0.5000 |" in page


def test_the_terminal_says_nothing_of_models_where_none_was_called(
    experiment: Begin, record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, memory in (("first", "lexical"), ("second", "vector")):
        experiment(name, memory=memory).add("a", record(1.0))
    print_summary(tmp_path / "results", ["first", "second"], Path("results"))
    said = capsys.readouterr().out
    assert "odel calls" not in said
    assert "Cost" not in said


def test_what_was_run_names_models_and_who_answered(experiment: Begin, record: Record, tmp_path: Path) -> None:
    provenance = {
        "models": [
            {"component": "agent", "field": "", "model": "openai:gpt-4o-mini", "base_url": ""},
            {"component": "memory_system", "field": "llm", "model": "openai:small", "base_url": "http://u:***@h/v1"},
        ],
        "model_calls": {"cache": True, "record": "calls.jsonl.zst"},
    }
    experiment(provenance=provenance).add("a", record(1.0))
    own, _ = write_reports(tmp_path / "results")
    rows = dict(
        line.strip("| ").split(" | ") for line in own.read_text("utf-8").splitlines() if line.startswith("| Mod")
    )
    assert rows["Models"] == (
        "agent: openai:gpt-4o-mini at the endpoint of its provider<br>"
        "memory system, llm: openai:small at http&#58;//u:\\*\\*\\*@h/v1"
    )
    assert rows["Model calls, when the run began"] == "with a cache, recorded to calls.jsonl.zst"


def test_the_summary_names_the_cost_without_cache_where_something_was_saved(
    experiment: Begin, record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    experiment("first", memory="lexical").add("a", record(1.0), usage={"agent": PAID})
    experiment("second", memory="vector").add("a", record(1.0), usage={"agent": PAID + FOUND})
    print_summary(tmp_path / "results", ["first", "second"], tmp_path)
    out = capsys.readouterr().out
    assert "Cost, USD: lexical 0.5000; vector 0.5000.\n" in out
    assert "Cost without cache and cassette, USD: vector 2.0000.\n" in out
    assert "Together: 8 model calls, 1.0000 USD (2.5000 USD without cache and cassette).\n" in out
    print_summary(tmp_path / "results", ["first"], tmp_path)
    assert "without cache" not in capsys.readouterr().out
