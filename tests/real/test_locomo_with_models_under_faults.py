"""The first LoCoMo conversation with a model, three memories, and an endpoint that fails in one call of five."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import heams
from heams.reporting.load import Results
from heams.scenarios.usage import Usage, UsageByRole, add_usage
from heta_framework.common.config import load_yaml

if TYPE_CHECKING:
    from model_server import ChatRequest, LocalServer, Reply

FAULTS = [
    {"fault": {"kind": "rate_limited", "retry_after_ms": 20}, "share": 0.05},
    {"fault": "server_error", "share": 0.08},
    {"fault": "disconnect", "share": 0.04},
    {"fault": {"kind": "cut", "part": 0.5}, "share": 0.03},
]
PRICES = {"input": 0.15, "output": 0.6}
QUESTIONS = 199
MEMORIES = ("no_memory", "hybrid", "facts")


def _component(repository: Path, kind: str, name: str) -> dict[str, Any]:
    return dict(load_yaml(repository / "configs" / kind / f"{name}.yaml").data)


@pytest.fixture
def matrix(repository: Path, data_dir: Path) -> dict[str, Any]:
    """The shipped components, with prices for the endpoint."""
    if not (data_dir / "locomo" / "locomo10.json").is_file():
        pytest.skip("HEAMS_DATA_DIR holds no locomo/locomo10.json")
    facts = _component(repository, "memory_systems", "facts")
    facts["llm"] |= {"prices": PRICES}
    return {
        "run_name": "conv26",
        "defaults": {"retries": 1},
        "experiments": [
            {
                "name": name,
                "agent_config": _component(repository, "agents", "gpt4o_mini_tool_use") | {"prices": PRICES},
                "memory_system_config": facts if name == "facts" else _component(repository, "memory_systems", name),
                "benchmark_config_file": "locomo.yaml",
            }
            for name in MEMORIES
        ],
    }


def _sum(usages: Iterable[UsageByRole]) -> Usage:
    return sum(add_usage(usages).values(), Usage())


def _used(folder: Path) -> Usage:
    """Everything that was saved as used: by every attempt at every question, and by every attempt at the history."""
    lines = (
        json.loads(line)
        for name in ("runs.jsonl", "ingests.jsonl")
        for path in folder.rglob(name)
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    return _sum({role: Usage.model_validate(used) for role, used in line.get("usage", {}).items()} for line in lines)


def _values(results: Results) -> dict[tuple[str, str, str, str], float | None]:
    return {
        (result.experiment, result.sample_id, record.evaluator, record.metric): record.value
        for result in results
        for record in result.records
    }


def _brain(request: "ChatRequest") -> "Reply":
    """Searches once and answers with the best sentence found; as the memory's model, makes each event a fact."""
    from memory_brains import BRAINS
    from model_server.built_in import SEARCH, memory_agent

    return memory_agent(request) if SEARCH in request.tools else BRAINS["facts"](request)


@pytest.mark.long
def test_every_question_ends_and_every_call_is_accounted_for(
    openai_server: "Callable[..., LocalServer]",
    matrix: dict[str, Any],
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = openai_server(faults=FAULTS, brain=_brain)
    played = {"root": repository, "limit": QUESTIONS, "max_concurrency": 32}
    cache, cassette = tmp_path / "cache", tmp_path / "calls.jsonl.zst"

    first = heams.run(matrix, tmp_path / "first", cache_dir=cache, record=cassette, **played)
    results = list(first)
    assert Counter(result.experiment for result in results) == dict.fromkeys(MEMORIES, QUESTIONS)
    for result in results:
        assert (result.status == "completed") != (result.error is not None)
        assert {record.outcome for record in result.records} <= {"scored", "unscored", "error"}
    used, log = _used(tmp_path / "first"), server.quiet().summary()
    assert log.cut > 0
    assert log.refused > 0
    assert (used.calls, used.input_tokens, used.output_tokens) == (
        log.whole.calls,
        log.whole.prompt,
        log.whole.completion,
    )
    assert used.possibly_billed == log.cut
    cost = (log.whole.prompt * PRICES["input"] + log.whole.completion * PRICES["output"]) / 1_000_000
    assert used.cost_usd == pytest.approx(cost)

    server.log.reset()
    second = heams.run(matrix, tmp_path / "second", cache_dir=cache, **played)
    assert not server.log.entries
    assert _used(tmp_path / "second").calls == 0
    assert _values(second) == _values(first)

    monkeypatch.delenv("OPENAI_API_KEY")
    third = heams.run(matrix, tmp_path / "third", replay=cassette, **played)
    assert not server.log.entries
    assert _used(tmp_path / "third").calls == 0
    assert _values(third) == _values(first)
