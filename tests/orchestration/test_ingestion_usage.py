"""What hearing a history costs belongs to the history: to each attempt at it, and to no question."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import heams
from heams.memory.base import (
    Memory,
    MemoryCapabilities,
    MemoryEvent,
    MemoryScope,
    MemorySystem,
    RecalledItem,
    RecallQuery,
)
from heams.orchestration import component_types, components
from heta_framework.common.models.language.opening import open_language_model
from heta_framework.common.models.language.types import ModelRequest
from heta_framework.common.models.settings import LanguageModelConfig, Prices
from heta_framework.common.models.usage import Usage

if TYPE_CHECKING:
    from model_server import LocalServer

Build = Callable[..., Any]
Server = Callable[..., "LocalServer"]
MODEL = LanguageModelConfig(model="openai:reader", prices=Prices(input=1, output=4), max_attempts=1)


class Digesting(MemorySystem):
    """Asks a model about everything it hears and whenever it recalls; reports a call of its own for each."""

    capabilities = MemoryCapabilities()

    async def open(self, scope: MemoryScope) -> Memory:
        model = open_language_model(MODEL, role="memory")

        class Digested(Memory):
            asked = 0

            async def write(self, event: MemoryEvent) -> None:
                self.asked += 1
                await model.invoke(ModelRequest(prompt=event.content))

            async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
                self.asked += 1
                await model.invoke(ModelRequest(prompt=query.text))
                return ()

            async def usage(self) -> dict[str, Usage]:
                return {"embedding": Usage(calls=self.asked, cost_usd=self.asked / 8)}

        return Digested()


@pytest.fixture(autouse=True)
def digesting(monkeypatch: pytest.MonkeyPatch) -> None:
    def create(kind: Any, config: Any) -> Any:
        return Digesting(config) if kind == "memory_system" else component_types.create_component(kind, config)

    monkeypatch.setattr(components, "create_component", create)


@pytest.fixture
def config(questions: Build, one_experiment: Build) -> dict[str, Any]:
    agent = {"type": "scripted", "default": "x", "recall": True}
    return dict(one_experiment(questions(4, history=6), agent=agent, retries=1))


def _calls(line: dict[str, Any]) -> dict[str, int]:
    return {role: usage["calls"] for role, usage in line["usage"].items()}


def test_hearing_and_recalling_are_told_apart(
    openai_server: Server, config: dict[str, Any], lines: Build, tmp_path: Path
) -> None:
    server = openai_server(brain={"fixed": "noted"})
    heams.run(config, tmp_path / "out")
    (heard,) = lines("ingests.jsonl")
    assert _calls(heard) == {"memory": 6, "embedding": 6}
    assert [_calls(line) for line in lines()] == [{"memory": 1}] * 4
    assert server.summary().whole.calls == 6 + 4


def test_a_failed_attempt_keeps_what_it_used(
    openai_server: Server, config: dict[str, Any], lines: Build, tmp_path: Path
) -> None:
    server = openai_server(brain={"fixed": "noted"}, faults=[{"fault": "server_error", "text": "number 3", "times": 1}])
    heams.run(config, tmp_path / "out")
    heard = lines("ingests.jsonl")
    assert [(line["status"], _calls(line)) for line in heard] == [
        ("error", {"memory": 3}),
        ("completed", {"memory": 6, "embedding": 6}),
    ]
    assert server.summary().whole.calls == 3 + 6 + 4


def test_a_history_that_is_heard_for_every_question_has_a_record_each_time(
    openai_server: Server, config: dict[str, Any], lines: Build, tmp_path: Path
) -> None:
    config["experiments"][0]["isolation"] = "rebuild"
    openai_server(brain={"fixed": "noted"})
    heams.run(config, tmp_path / "out")
    assert [_calls(line) for line in lines("ingests.jsonl")] == [{"memory": 6, "embedding": 6}] * 4
    assert [_calls(line) for line in lines()] == [{"memory": 1, "embedding": 1}] * 4
    assert [line["usage"]["embedding"]["cost_usd"] for line in lines()] == [0.125] * 4
    assert len(list((tmp_path / "out/one/histories").iterdir())) == 1


def test_a_history_is_heard_alike_in_every_repeat(
    openai_server: Server, config: dict[str, Any], lines: Build, tmp_path: Path
) -> None:
    config["experiments"][0] |= {"isolation": "rebuild", "repeats": 2}
    server = openai_server(brain={"fixed": "noted"})
    heams.run(config, tmp_path / "out", cache_dir=tmp_path / "cache")
    assert server.summary().whole.calls == 6 + 4 * 2, "six events once, four questions in each repeat"
