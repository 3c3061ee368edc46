"""Whole runs of agents with models, with the shipped configurations, against a local endpoint."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from model_server import LocalServer, Reply, ToolCall

from heams.api import run

Started = Callable[..., LocalServer]
FAULTS = [
    {"fault": {"kind": "rate_limited", "retry_after": 0}, "share": 0.07},
    {"fault": "server_error", "share": 0.07},
    {"fault": "disconnect", "share": 0.06},
]


def matrix(agent: str, memory: str, benchmark: str = "locomo_mini.yaml", **settings: Any) -> dict[str, Any]:
    return {
        "run_name": "models",
        "matrix": {"agents": [agent], "memory_systems": [memory], "benchmarks": [benchmark], **settings},
    }


def lines(folder: Path, name: str = "runs.jsonl") -> list[dict[str, Any]]:
    (found,) = folder.glob(f"*/{name}")
    return [json.loads(line) for line in found.read_text(encoding="utf-8").splitlines()]


def usages(results: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    yield from (result["usage"]["agent"] for result in results if "agent" in result["usage"])


@pytest.mark.parametrize("agent", ["gpt4o_mini_tool_use.yaml", "gpt4o_mini_context.yaml"])
def test_faults_are_survived_and_a_repeated_run_calls_nobody(
    openai_server: Started, repository: Path, tmp_path: Path, agent: str
) -> None:
    server = openai_server(brain="auto", faults=FAULTS)
    kept: dict[str, Any] = {"root": repository, "limit": 10, "cache_dir": tmp_path / "cache"}
    cassette = tmp_path / "calls.jsonl.zst"
    run(matrix(agent, "lexical.yaml"), tmp_path / "first", record=cassette, **kept)
    first = lines(tmp_path / "first")
    assert {result["status"] for result in first} == {"completed"}
    assert sum(usage["calls"] for usage in usages(first)) == server.summary().whole.calls
    assert sum(usage["input_tokens"] for usage in usages(first)) == server.summary().whole.prompt

    server.log.reset()
    run(matrix(agent, "lexical.yaml"), tmp_path / "second", **kept)
    run(matrix(agent, "lexical.yaml"), tmp_path / "third", root=repository, limit=10, replay=cassette)
    assert server.log.entries == []
    assert replies(lines(tmp_path / "second")) == replies(lines(tmp_path / "third")) == replies(first)


def replies(results: list[dict[str, Any]]) -> dict[str, str]:
    return {result["sample_id"]: step(result)["reply"] for result in results}


def step(result: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = result["transcript"][-1]
    return found


def test_the_transcript_holds_every_call(openai_server: Started, repository: Path, tmp_path: Path) -> None:
    openai_server(brain="auto")
    run(matrix("gpt4o_mini_tool_use.yaml", "lexical.yaml"), tmp_path, root=repository, limit=3)
    for result in lines(tmp_path):
        (call,) = step(result)["tool_calls"]
        assert call["tool"] == "search_memory"
        assert len(str(call["result"]).splitlines()) == len(step(result)["recalls"][0]["ids"])
        assert step(result)["reply_metadata"]["finish"] == "stop"


def saver(request: Any) -> Reply | str:
    """Saves what it hears, and answers with what it finds."""
    if request.tool_results:
        return request.tool_results[-1]
    name, field = ("save_memory", "text") if "overhear" in request.user else ("search_memory", "query")
    said = request.user.split("says:\n")[-1].splitlines()[0] if name == "save_memory" else request.question
    return Reply(tool_calls=(ToolCall(name=name, arguments={field: said}),))


def test_through_the_agent(
    openai_server: Started, repository: Path, tmp_path: Path, questions: Callable[..., Path]
) -> None:
    openai_server(brain=saver)
    benchmark = {
        "type": "jsonl_qa",
        "data_file": str(questions(3, history=4)),
        "question_prompt": "{question}",
        "evaluators": [{"type": "task_qa", "match_mode": "contains"}, {"type": "evidence_recall", "k": [4]}],
    }
    experiment = {
        "name": "one",
        "agent_config_file": "gpt4o_mini_tool_use.yaml",
        "memory_system_config_file": "lexical.yaml",
        "benchmark_config": benchmark,
        "ingestion": "through_agent",
    }
    run({"run_name": "heard", "experiments": [experiment]}, tmp_path / "out", root=repository)
    (ingest,) = lines(tmp_path / "out", "ingests.jsonl")
    assert (ingest["events"], ingest["usage"]["agent"]["calls"]) == (4, 8)
    for result in lines(tmp_path / "out"):
        assert result["usage"]["agent"]["calls"] == 2
        assert {record["metric"]: record["value"] for record in result["records"]}["recall@4"] == 1.0


def test_the_smoke_run_file(openai_server: Started, repository: Path, tmp_path: Path) -> None:
    openai_server(brain="auto")
    run(repository / "configs/runs/testing/gpt4o_mini_smoke.yaml", tmp_path)
    saved = [json.loads(file.read_text(encoding="utf-8")) for file in tmp_path.glob("*/runs.jsonl")]
    assert [result["status"] for result in saved] == ["completed", "completed"]
