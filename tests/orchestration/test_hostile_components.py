"""Agents, memories and evaluators that raise, lie or hand over garbage cost their own scenario, never the run."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import heams
from heams.agents.base import Agent, AgentReply, AgentScope, AgentSession, MemoryPort, Stimulus
from heams.evaluation.base import BaseEvaluator
from heams.evaluation.records import EvaluationRecord
from heams.evaluation.task_qa import TaskQAEvaluator
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
from heams.orchestration.errors import RunRefused
from heams.orchestration.results import RunResult

Questions = Callable[..., Path]
Build = Callable[..., dict[str, Any]]


class Says(Agent):
    """Replies with whatever ``reply`` gives for a stimulus."""

    def __init__(self, reply: Callable[[Stimulus], Any]) -> None:
        self._reply = reply

    async def open(self, scope: AgentScope) -> AgentSession:
        reply = self._reply

        class Session(AgentSession):
            async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
                await memory.recall(stimulus.query)
                given = reply(stimulus)
                return given if isinstance(given, AgentReply) else AgentReply(text=given)

        return Session()


class Remembers(MemorySystem):
    """A memory whose parts can be replaced; it cannot fork."""

    capabilities = MemoryCapabilities()

    def __init__(self, **parts: Any) -> None:
        self._parts = parts

    async def open(self, scope: MemoryScope) -> Memory:
        class Kept(Memory):
            async def write(self, event: MemoryEvent) -> None:
                pass

            async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
                return ()

        return type("Replaced", (Kept,), dict(self._parts))()


@pytest.fixture
def play(
    questions: Questions, one_experiment: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[RunResult]]:
    """Play two questions with a given agent or memory system in place of the configured one."""

    def run(
        agent: Agent | None = None, memory: MemorySystem | None = None, history: int = 0, **settings: Any
    ) -> list[RunResult]:
        def create(kind: Any, config: Any) -> Any:
            replaced = {"agent": agent, "memory_system": memory}.get(kind)
            return replaced if replaced is not None else component_types.create_component(kind, config)

        monkeypatch.setattr(components, "create_component", create)
        config = one_experiment(questions(2, history=history), **({"retries": 0} | settings))
        return list(heams.run(config, tmp_path / "out"))

    return run


Play = Callable[..., list[RunResult]]


@pytest.mark.parametrize("text", ["\ud800", "half \udfff a character"])
def test_lone_surrogates_from_an_agent_are_an_error_of_the_scenario(play: Play, text: str) -> None:
    assert [result.status for result in play(Says(lambda _: text))] == ["error", "error"]


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_json_does_not_know_never_reach_the_artifacts(play: Play, tmp_path: Path, value: float) -> None:
    results = play(Says(lambda _: AgentReply(text="x", metadata={"confidence": value})))
    assert len(results) == 2
    written = (tmp_path / "out/one/runs.jsonl").read_text(encoding="utf-8")
    assert "NaN" not in written
    assert "Infinity" not in written


def test_an_exception_with_odd_words_is_saved_as_text(play: Play) -> None:
    def fail(_: Stimulus) -> str:
        raise ValueError("\ud800" + "x" * 100_000)

    (first, _) = play(Says(fail))
    assert first.error is not None
    assert (first.error.type, first.error.phase) == ("ValueError", "step 0")
    assert len(first.error.message) < 10_000


def test_a_reply_of_the_wrong_type_is_an_error(play: Play) -> None:
    (first, _) = play(Says(lambda _: 42))
    assert first.error is not None
    assert first.error.type == "ValidationError"


def test_an_answer_of_a_megabyte_is_kept(play: Play) -> None:
    results = play(Says(lambda _: "kettle 0 " * 120_000))
    assert [result.status for result in results] == ["completed", "completed"]
    assert results[0].records[0].value == 1.0


def test_a_memory_that_raises_while_hearing_fails_its_scenarios_and_is_recorded(play: Play, tmp_path: Path) -> None:
    async def write(self: Memory, event: MemoryEvent) -> None:
        raise OSError("no room")

    results = play(memory=Remembers(write=write), history=4, retries=1)
    assert {(result.status, result.error.type if result.error else "") for result in results} == {
        ("error", "IngestionFailed")
    }
    assert {record.outcome for result in results for record in result.records} == {"error"}
    (experiment,) = heams.load_results(tmp_path / "out").experiments
    assert [(record.attempt, record.status) for record in experiment.ingests()] == [(1, "error"), (2, "error")]


def test_a_memory_without_forks_is_played_read_only(play: Play) -> None:
    results = play(memory=Remembers(), history=4)
    assert {result.isolation for result in results} == {"read_only"}
    assert {result.status for result in results} == {"completed"}


def test_rebuild_hears_the_history_for_every_scenario(play: Play) -> None:
    heard: list[str] = []

    async def write(self: Memory, event: MemoryEvent) -> None:
        heard.append(event.id)

    results = play(memory=Remembers(write=write), history=3, isolation="rebuild")
    assert {result.isolation for result in results} == {"rebuild"}
    assert len(heard) >= 2 * 3


def test_isolation_that_cannot_be_had_is_refused(play: Play) -> None:
    with pytest.raises(RunRefused, match="cannot fork"):
        play(memory=Remembers(), history=3, isolation="fork")


def test_rebuilding_long_histories_is_refused(play: Play) -> None:
    with pytest.raises(RunRefused, match="max_rebuild_events"):
        play(memory=Remembers(), history=30, isolation="rebuild", max_rebuild_events=20)


def test_a_memory_that_hangs_while_hearing_times_out(play: Play) -> None:
    async def write(self: Memory, event: MemoryEvent) -> None:
        import anyio

        await anyio.sleep(60)

    results = play(memory=Remembers(write=write), history=2, ingestion_timeout_s=0.2)
    assert {result.status for result in results} == {"error"}


def test_a_component_that_cannot_start_stops_the_experiment_with_words(play: Play) -> None:
    class Unable(Says):
        async def start(self) -> None:
            raise RuntimeError("no such model")

    with pytest.raises(RunRefused, match="no such model"):
        play(Unable(lambda _: "x"))


def test_an_evaluator_that_raises_costs_only_its_own_records(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    async def evaluate(self: BaseEvaluator, outcome: Any) -> Sequence[EvaluationRecord]:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(TaskQAEvaluator, "evaluate", evaluate)
    results = play(Says(lambda _: "x"))
    assert {result.status for result in results} == {"completed"}
    assert [(record.outcome, "oops" in record.reason) for result in results for record in result.records] == [
        ("error", True),
        ("error", True),
    ]


def test_an_evaluator_cannot_smuggle_nan_into_a_mean() -> None:
    with pytest.raises(ValueError, match="finite"):
        EvaluationRecord(evaluator="x", metric="m", value=float("nan"))
