"""Whole runs with a memory library: every scenario scored, usage as the server counted it, and again without it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from model_server import CANARY_KEY, LocalServer

import heams

if TYPE_CHECKING:
    from conftest import Library

pytestmark = pytest.mark.filterwarnings("default")  # libraries warn about each other
Start = Callable[..., LocalServer]
BENCHMARK = "configs/benchmarks/locomo_mini.yaml"
COUNTS = {"calls": "calls", "input_tokens": "prompt", "output_tokens": "completion"}


@pytest.fixture
def matrix(library: "Library", repository: Path) -> dict[str, Any]:
    """One experiment on the three small conversations, a session at a time."""
    return {
        "run_name": "library",
        "experiments": [
            {
                "name": library.name,
                "agent_config": {"type": "extractive"},
                "memory_system_config": library.config(batch_events=20),
                "benchmark_config": yaml.safe_load((repository / BENCHMARK).read_text("utf-8")),
            }
        ],
    }


def lines(folder: Path, name: str) -> list[dict[str, Any]]:
    """The lines of an artifact of the one experiment."""
    (file,) = folder.rglob(name)
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def used(folder: Path, count: str) -> int:
    """What all histories and questions used, over all roles."""
    parts: Iterator[dict[str, Any]] = (
        usage for name in ("ingests.jsonl", "runs.jsonl") for line in lines(folder, name) for usage in _usages(line)
    )
    return sum(usage[count] for usage in parts)


def _usages(line: dict[str, Any]) -> list[dict[str, Any]]:
    return list(line.get("usage", {}).values())


def recalled_evidence(folder: Path) -> float:
    """The sum of evidence recall over all questions."""
    records = [record for line in lines(folder, "runs.jsonl") for record in line["records"]]
    return sum(record["value"] or 0.0 for record in records if record["metric"] == "recall@10")


def outcomes(folder: Path) -> dict[str, Any]:
    """What the agent answered to each question, and how it was scored."""
    return {line["sample_id"]: line["records"] for line in lines(folder, "runs.jsonl")}


def test_a_run_is_scored_counted_and_replayed(
    matrix: dict[str, Any],
    library: "Library",
    openai_server: Start,
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = openai_server(brain=library.brain, dimensions=32)
    cassette = tmp_path / "cassette.jsonl.zst"
    results = heams.run(matrix, tmp_path / "a", root=repository, record=cassette)
    # the last attempt counts: kuzu fails now and then when several of its databases are asked at once
    played = {line["sample_id"]: line["status"] for line in lines(tmp_path / "a", "runs.jsonl")}
    assert (len(played), set(played.values())) == (166, {"completed"})
    assert results is not None
    assert recalled_evidence(tmp_path / "a") > 0
    sums = server.summary().whole
    assert {name: used(tmp_path / "a", name) for name in COUNTS} == {
        name: getattr(sums, counted) for name, counted in COUNTS.items()
    }
    server.stop()
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable)
    heams.run(matrix, tmp_path / "b", root=repository, replay=cassette)
    assert outcomes(tmp_path / "b") == outcomes(tmp_path / "a")
    assert used(tmp_path / "b", "calls") == 0
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(CANARY_KEY.encode() not in path.read_bytes() for path in kept)
