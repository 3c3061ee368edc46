"""A run that has spent what it may stops cleanly: nothing half done is saved, and it can be resumed."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest
import yaml

import heams
from heams.agents.base import Agent, AgentReply, AgentScope, AgentSession, MemoryPort, Stimulus
from heams.cli.playing import play
from heams.evaluation.records import EvaluationRecord
from heams.evaluation.task_qa import TaskQAEvaluator
from heams.memory.base import Memory, MemoryCapabilities, MemoryEvent, MemoryScope, MemorySystem, RecallQuery
from heams.orchestration import component_types, components
from heams.orchestration.errors import RunRefused
from heams.orchestration.options import RunOptions
from heams.orchestration.resolve import resolve_run_mapping
from heams.orchestration.run import run_matrix
from heta_framework.common.models.language.opening import open_language_model
from heta_framework.common.models.language.types import ModelRequest
from heta_framework.common.models.settings import LanguageModelConfig, Prices

if TYPE_CHECKING:
    from model_server import LocalServer

Build = Callable[..., Any]
Server = Callable[..., "LocalServer"]
MODEL = LanguageModelConfig(model="openai:reader", prices=Prices(input=1, output=4))


@pytest.fixture
def server(openai_server: Server) -> "LocalServer":
    return openai_server(brain={"fixed": "kettle 0"}, latency=0.01)


def _status(output: Path) -> dict[str, Any]:
    return dict(json.loads((output / "one/run_status.json").read_bytes()))


def _price_of_one(server: "LocalServer", cost_of: Build) -> float:
    return float(cost_of(server)) / server.summary().whole.calls


def test_it_stops_keeps_what_is_finished_and_resumes(
    server: "LocalServer",
    questions: Build,
    one_experiment: Build,
    reader: dict[str, Any],
    lines: Build,
    cost_of: Build,
    tmp_path: Path,
) -> None:
    config = one_experiment(questions(20), agent=reader)
    results = list(heams.run(config, tmp_path / "out", max_cost=0.000_3, max_concurrency=3))
    assert 3 <= len(results) < 20
    assert {line["status"] for line in lines()} == {"completed"}
    assert len(results) == server.summary().whole.calls, "what a scenario under way had asked is finished"
    assert 0.000_3 <= cost_of(server) <= 0.000_3 + 3 * _price_of_one(server, cost_of)
    status = _status(tmp_path / "out")
    assert status["state"] == "interrupted"
    assert status["finished"] == len(results)
    assert "of the $0.0003 that may be spent" in status["message"]

    assert len(heams.run(config, tmp_path / "out", max_cost=1.0)) == 20
    assert server.summary().whole.calls == 20
    assert _status(tmp_path / "out")["state"] == "completed"


def test_the_command_says_why_and_how_to_go_on(
    server: "LocalServer", questions: Build, one_experiment: Build, reader: dict[str, Any], tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    run_file = tmp_path / "run.yaml"
    run_file.write_text(yaml.safe_dump(one_experiment(questions(20), agent=reader)), encoding="utf-8")
    options = RunOptions(max_concurrency=2, max_cost_usd=0.000_2)
    report = play(run_file, tmp_path / "out", options, plain=True)
    assert report.interrupted
    assert report.reason is not None
    said = capsys.readouterr().err
    assert "Stopped: model calls have cost $0.000" in said
    assert "Resume" in said


def test_the_sum_in_the_reason_is_the_last_one(
    openai_server: Server, questions: Build, one_experiment: Build, reader: dict[str, Any], cost_of: Build,
    tmp_path: Path,
) -> None:  # fmt: skip
    slow = {"fault": {"kind": "none", "latency": 0.4}, "text": "number [1-9]"}
    server = openai_server(brain={"fixed": "kettle 0"}, faults=[slow])
    run = resolve_run_mapping(one_experiment(questions(20), agent=reader))
    report = anyio.run(run_matrix, run, tmp_path / "out", RunOptions(max_concurrency=6, max_cost_usd=0.000_001))
    assert server.summary().whole.calls == 6, "the refusal comes while five calls are under way"
    assert f"have cost ${cost_of(server):.4f} of" in (report.reason or "")
    assert _status(tmp_path / "out")["message"] == report.reason


def test_the_exit_code_is_1(
    server: "LocalServer", questions: Build, one_experiment: Build, reader: dict[str, Any], tmp_path: Path
) -> None:
    from typer.testing import CliRunner

    from heams.cli.main import app

    run_file = tmp_path / "run.yaml"
    run_file.write_text(yaml.safe_dump(one_experiment(questions(20), agent=reader)), encoding="utf-8")
    arguments = ["run", "--config", str(run_file), "--output-dir", str(tmp_path / "out"), "--max-cost", "0.0002"]
    assert CliRunner().invoke(app, [*arguments, "--plain"]).exit_code == 1


class Stubborn(Agent):
    """Goes on when its model cannot be asked, as many libraries do."""

    async def open(self, scope: AgentScope) -> AgentSession:
        model = open_language_model(MODEL, role="agent")

        class Session(AgentSession):
            async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
                try:
                    answer = await model.invoke(ModelRequest(prompt=stimulus.content))
                except Exception:  # noqa: BLE001 - what is tested
                    return AgentReply(text="I could not ask.")
                return AgentReply(text=answer.text)

        return Session()


class Digesting(MemorySystem):
    """Asks a model about everything it hears."""

    capabilities = MemoryCapabilities()

    async def open(self, scope: MemoryScope) -> Memory:
        model = open_language_model(MODEL, role="memory")

        class Digested(Memory):
            async def write(self, event: MemoryEvent) -> None:
                await model.invoke(ModelRequest(prompt=event.content))

            async def recall(self, query: RecallQuery) -> Sequence[Any]:
                return ()

        return Digested()


@pytest.fixture
def replaced(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put a component in the place of the configured one."""

    def replace(**parts: Any) -> None:
        def create(kind: Any, config: Any) -> Any:
            return parts[kind](config) if kind in parts else component_types.create_component(kind, config)

        monkeypatch.setattr(components, "create_component", create)

    return replace


def test_an_agent_that_swallows_the_refusal_leaves_no_result(
    server: "LocalServer", questions: Build, one_experiment: Build, replaced: Build, tmp_path: Path
) -> None:
    replaced(agent=Stubborn)
    results = list(heams.run(one_experiment(questions(20)), tmp_path / "out", max_cost=0.000_2, max_concurrency=2))
    assert 0 < len(results) < 20
    assert "I could not ask." not in {result.transcript[0].reply for result in results}


def test_a_history_that_could_not_be_heard_whole_leaves_nothing(
    server: "LocalServer", questions: Build, one_experiment: Build, replaced: Build, lines: Build, tmp_path: Path
) -> None:
    replaced(memory_system=Digesting)
    config = one_experiment(questions(5, history=30))
    heams.run(config, tmp_path / "out", max_cost=0.000_2)
    assert not lines()
    assert not lines("ingests.jsonl")
    assert _status(tmp_path / "out")["state"] == "interrupted"
    heams.run(config, tmp_path / "out")
    (ingest,) = lines("ingests.jsonl")
    assert ingest["usage"]["memory"]["calls"] == 30
    assert [list(line["usage"]) for line in lines()] == [[]] * 5, "hearing is not smeared over questions"


def test_a_judge_that_may_not_ask_leaves_no_result(
    server: "LocalServer", questions: Build, one_experiment: Build, lines: Build, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    async def evaluate(self: TaskQAEvaluator, outcome: Any) -> list[EvaluationRecord]:
        model = open_language_model(MODEL, role="judge")
        await model.invoke(ModelRequest(prompt=f"Is this right? {outcome.scenario.id}"))
        return [EvaluationRecord(evaluator="task_qa", metric="contains", step_index=0, value=1.0)]

    monkeypatch.setattr(TaskQAEvaluator, "evaluate", evaluate)
    heams.run(one_experiment(questions(20)), tmp_path / "out", max_cost=0.000_2, max_concurrency=2)
    found = lines()
    assert 0 < len(found) < 20
    assert {record["outcome"] for line in found for record in line["records"]} == {"scored"}
    assert {tuple(line["usage"]) for line in found} == {("judge",)}


def test_an_unknown_price_is_refused_before_anything_is_played(
    server: "LocalServer", questions: Build, one_experiment: Build, reader: dict[str, Any], tmp_path: Path
) -> None:
    del reader["prices"]
    with pytest.raises(RunRefused, match=r"openai:reader.* unknown.*prices"):
        heams.run(one_experiment(questions(2), agent=reader), tmp_path / "out", max_cost=1)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("amount", [0, -1, float("nan"), float("inf")])
def test_an_amount_that_limits_nothing_is_refused(
    questions: Build, one_experiment: Build, tmp_path: Path, amount: float
) -> None:
    with pytest.raises(RunRefused, match="above 0"):
        heams.run(one_experiment(questions(2)), tmp_path / "out", max_cost=amount)
