"""Whole runs with memories that have a model: shipped configurations, a local endpoint, no keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from memory_brains import BRAINS
from model_server import LocalServer

from heams.api import run

Started = Callable[..., LocalServer]
FAULTS = [
    {"fault": {"kind": "rate_limited", "retry_after": 0}, "share": 0.07},
    {"fault": {"kind": "server_error", "retry_after": 0}, "share": 0.07},
    {"fault": "disconnect", "share": 0.06},
]


def matrix(*memories: str) -> dict[str, Any]:
    systems = [f"{memory}.yaml" for memory in memories]
    return {
        "run_name": "memories",
        "matrix": {"agents": ["extractive.yaml"], "memory_systems": systems, "benchmarks": ["locomo_mini.yaml"]},
    }


def lines(folder: Path, name: str = "runs.jsonl") -> list[dict[str, Any]]:
    (found,) = folder.glob(f"*/{name}")
    return [json.loads(line) for line in found.read_text(encoding="utf-8").splitlines()]


def recalls(folder: Path) -> list[float]:
    """Evidence recall of every question that has one."""
    return [
        record["value"]
        for result in lines(folder)
        for record in result["records"]
        if record["metric"] == "recall@10" and record["outcome"] == "scored"
    ]


def total(folder: Path, field: str) -> int:
    """What the ingests and the questions used together, of the memory's model."""
    used = [*lines(folder, "ingests.jsonl"), *lines(folder)]
    return sum(line["usage"].get("memory", {}).get(field, 0) for line in used)


@pytest.mark.parametrize("memory", ["facts", "notes"])
def test_evidence_is_recalled_and_every_call_is_counted(
    openai_server: Started, repository: Path, tmp_path: Path, memory: str
) -> None:
    server = openai_server(brain=BRAINS[memory])
    run(matrix(memory), tmp_path, root=repository)
    values = recalls(tmp_path)
    assert len(values) > 100
    assert sum(values) / len(values) > 0.5
    sums = server.summary().whole
    assert sums.calls > 20
    assert [total(tmp_path, field) for field in ("calls", "input_tokens", "output_tokens")] == [
        sums.calls,
        sums.prompt,
        sums.completion,
    ]


def test_a_summary_is_not_scored_by_evidence(openai_server: Started, repository: Path, tmp_path: Path) -> None:
    server = openai_server(brain=BRAINS["summary"])
    run(matrix("summary"), tmp_path, root=repository)
    assert recalls(tmp_path) == []
    assert {result["status"] for result in lines(tmp_path)} == {"completed"}
    assert total(tmp_path, "calls") == server.summary().whole.calls > 20


@pytest.mark.parametrize("memory", sorted(BRAINS))
def test_faults_are_survived_and_a_repeated_run_calls_nobody(
    openai_server: Started, repository: Path, tmp_path: Path, memory: str
) -> None:
    server = openai_server(brain=BRAINS[memory], faults=FAULTS)
    kept: dict[str, Any] = {"root": repository, "limit": 20, "cache_dir": tmp_path / "cache"}
    cassette = tmp_path / "calls.jsonl.zst"
    run(matrix(memory), tmp_path / "first", record=cassette, **kept)
    first = lines(tmp_path / "first")
    assert {result["status"] for result in first} == {"completed"}
    assert total(tmp_path / "first", "calls") == server.summary().whole.calls

    server.log.reset()
    run(matrix(memory), tmp_path / "second", **kept)
    run(matrix(memory), tmp_path / "third", root=repository, limit=20, replay=cassette)
    assert server.log.entries == []
    for folder in ("second", "third"):
        assert recalled(lines(tmp_path / folder)) == recalled(first)


def recalled(results: list[dict[str, Any]]) -> dict[str, Any]:
    """The ids that each question recalled."""
    return {
        result["sample_id"]: [recall["ids"] for step in result["transcript"] for recall in step["recalls"]]
        for result in results
    }


def test_asking_again_is_another_call_for_the_cache(openai_server: Started, repository: Path, tmp_path: Path) -> None:
    server = openai_server(brain={"queue": ["no JSON", "still none"], "then": BRAINS["facts"]})
    kept: dict[str, Any] = {"root": repository, "limit": 1, "cache_dir": tmp_path / "cache"}
    run(matrix("facts"), tmp_path / "first", **kept)
    assert {result["status"] for result in lines(tmp_path / "first")} == {"completed"}
    assert total(tmp_path / "first", "calls") == server.summary().whole.calls
    server.log.reset()
    run(matrix("facts"), tmp_path / "second", **kept)
    assert server.log.entries == []
    assert {result["status"] for result in lines(tmp_path / "second")} == {"completed"}
