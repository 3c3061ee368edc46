"""`heams evaluate` where models answer and judge: what they consume is in every line, replayed runs ask nobody."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from village import BENCHMARK, RECIPE, rows_of, write, write_village

MODE = "full_text_search"


@pytest.fixture
def evaluate(tmp_path: Path, heams: Callable[..., Any]) -> Callable[..., Any]:
    """`heams evaluate` on a project whose recipe has a language model, and whose benchmark a judge."""
    root = write_village(tmp_path / "village")
    model = "{model: 'openai:gpt-4o-mini', prices: {input: 1, output: 2}}"
    write(root / "configs/recipes/words.yaml", f"{RECIPE}models: {{language: {model}}}\n")
    judge = f"  - {{type: answer_correctness, judges: [{model}]}}\n"
    write(root / "configs/benchmarks/village.yaml", f"{BENCHMARK}{judge}query_options: {{generate_answer: true}}\n")
    files = ("--recipe", root / "configs/recipes/words.yaml", "--benchmark", root / "configs/benchmarks/village.yaml")

    def call(out: str, *arguments: str | Path) -> Any:
        return heams(
            "evaluate", *files, "--modes", MODE, "--output-dir", tmp_path / out, "--plain",
            "--max-concurrent-queries", "1", *arguments,
        )  # fmt: skip

    return call


def test_usage_is_told_by_role_and_a_replay_asks_nobody(
    evaluate: Callable[..., Any], openai_server: Any, tmp_path: Path
) -> None:
    server = openai_server(brain={"fixed": "CORRECT"})
    cassette = tmp_path / "calls.jsonl"
    said = evaluate("first", "--record", cassette)
    assert said.code == 0, said.err
    rows = rows_of(tmp_path / f"first/village__words__{MODE}/runs.jsonl")
    assert all(row["transcript"][0]["reply"] for row in rows)
    assert all(row["usage"]["memory"]["calls"] == 1 and row["usage"]["memory"]["cost_usd"] > 0 for row in rows)
    assert [row["usage"].get("judge", {}).get("calls", 0) for row in sorted(rows, key=_id)] == [1, 1, 1, 1, 0]
    asked = server.summary().whole.calls
    assert asked == 9
    replayed = evaluate("second", "--replay", cassette)
    assert (replayed.code, server.summary().whole.calls) == (0, asked), replayed.err
    again = rows_of(tmp_path / f"second/village__words__{MODE}/runs.jsonl")
    assert [row["transcript"][0]["reply"] for row in again] == [row["transcript"][0]["reply"] for row in rows]
    assert [_values(row) for row in again] == [_values(row) for row in rows]


def test_a_spent_budget_stops_and_the_rest_is_asked_later(
    evaluate: Callable[..., Any], openai_server: Any, tmp_path: Path
) -> None:
    openai_server(brain={"fixed": "CORRECT"})
    said = evaluate("out", "--max-cost", "0.0008")
    folder = tmp_path / f"out/village__words__{MODE}"
    assert said.code == 1
    assert "Stopped: model calls have cost" in said.err
    assert json.loads((folder / "run_status.json").read_text())["state"] == "interrupted"
    assert {row["status"] for row in rows_of(folder / "runs.jsonl")} <= {"completed"}
    assert evaluate("out").code == 0
    assert len(rows_of(folder / "runs.jsonl")) == 5


def test_a_key_that_is_missing_is_told_before_anything_is_built(
    evaluate: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    said = evaluate("out")
    assert said.code == 2
    assert "OPENAI_API_KEY is not set" in said.err
    assert "memory system (words.yaml), models.language" in said.err
    assert not (tmp_path / "out").exists()


def _id(row: dict[str, Any]) -> str:
    return str(row["sample_id"])


def _values(row: dict[str, Any]) -> list[Any]:
    return [(record["metric"], record.get("value")) for record in row["records"]]
