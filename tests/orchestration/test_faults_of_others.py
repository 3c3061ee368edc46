"""Faults around a run that once hung it, lost results or ended it with a traceback: each has a right outcome now."""

import asyncio
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import heams
from heams.agents.base import Agent, AgentReply, AgentScope, AgentSession, MemoryPort, Stimulus
from heams.memory.lexical import LexicalMemoryConfig, LexicalMemorySystem
from heams.memory.stored_memory import StoredMemory
from heams.orchestration import component_types, components
from heams.orchestration.errors import RunRefused
from heams.orchestration.listener import RunListener
from heams.orchestration.results import RunResult, RunStatus
from heams.orchestration.store import StoreError
from heams.reporting.load import Results

Questions = Callable[..., Path]
Build = Callable[..., dict[str, Any]]


class Answers(Agent):
    """An agent whose ``respond`` is a function; it keeps the seeds that it was opened with."""

    def __init__(self, respond: Callable[[Stimulus], Any] = lambda _: "x") -> None:
        self.seeds: list[int] = []
        self._respond = respond

    async def open(self, scope: AgentScope) -> AgentSession:
        self.seeds.append(scope.seed)
        respond = self._respond

        class Session(AgentSession):
            async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
                given = respond(stimulus)
                return given if isinstance(given, AgentReply) else AgentReply(text=given)

        return Session()


@pytest.fixture
def replace(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let a run use these objects in place of the configured components."""

    def use(**parts: Any) -> None:
        def create(kind: Any, config: Any) -> Any:
            if kind not in parts:
                return component_types.create_component(kind, config)
            return parts[kind]() if isinstance(parts[kind], type) else parts[kind]

        monkeypatch.setattr(components, "create_component", create)

    return use


def _status(output: Path) -> RunStatus:
    return RunStatus.model_validate_json((output / "one/run_status.json").read_bytes())


def test_a_status_that_cannot_be_written_stops_the_run_instead_of_hanging_it(
    questions: Questions, one_experiment: Build, tmp_path: Path
) -> None:
    class Saboteur(RunListener):
        def experiment_started(self, name: str, *, total: int, finished: int, run_id: str) -> None:
            status = tmp_path / "out/one/run_status.json"
            status.unlink()
            status.mkdir()
            (status / "in_the_way").touch()

    config = one_experiment(questions(2_000), agent={"type": "scripted", "latency_s": 0.005})
    with pytest.raises(StoreError, match="status"):
        heams.run(config, tmp_path / "out", listener=Saboteur())


def test_a_listener_that_raises_ends_the_run_with_its_own_error(
    questions: Questions, one_experiment: Build, tmp_path: Path
) -> None:
    class Broken(RunListener):
        def result_durable(self, name: str, result: RunResult, *, final: bool) -> None:
            raise LookupError("listener")

    with pytest.raises(LookupError, match="listener"):
        heams.run(one_experiment(questions(2_000)), tmp_path / "out", listener=Broken())
    assert _status(tmp_path / "out").state == "failed"


def test_a_cancellation_that_a_component_lets_escape_is_an_error_result(
    questions: Questions, one_experiment: Build, tmp_path: Path, replace: Callable[..., None]
) -> None:
    def cancel(_: Stimulus) -> str:
        raise asyncio.CancelledError

    replace(agent=Answers(cancel))
    results = list(heams.run(one_experiment(questions(3), retries=0), tmp_path / "out"))
    assert [result.error.type for result in results if result.error] == ["CancelledError"] * 3
    assert _status(tmp_path / "out").errors == 3


def test_a_new_run_on_changed_data_keeps_both_histories(
    questions: Questions, one_experiment: Build, tmp_path: Path
) -> None:
    data = questions(2, history=3)
    first = heams.run(one_experiment(data), tmp_path / "out").experiments[0]
    data.write_text(data.read_text(encoding="utf-8").replace("kettle", "teapot"), encoding="utf-8")
    second = heams.run(one_experiment(data), tmp_path / "out", new_run=True).experiments[0]
    assert first.run_id != second.run_id
    assert "kettle" in str(first.history("boxes"))
    assert "teapot" in str(second.history("boxes"))


@pytest.mark.parametrize("damage", ["{broken", '{"run_id": "x"}', "[]"])
def test_a_damaged_line_is_set_aside_and_its_scenario_played_again(
    questions: Questions, one_experiment: Build, tmp_path: Path, damage: str
) -> None:
    notes: list[str] = []

    class Notes(RunListener):
        def note(self, name: str, message: str) -> None:
            notes.append(message)

    config = one_experiment(questions(4))
    heams.run(config, tmp_path / "out")
    file = tmp_path / "out/one/runs.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([lines[0], damage, *lines[2:]]) + "\n", encoding="utf-8")
    results = heams.run(config, tmp_path / "out", listener=Notes())
    assert sorted(result.sample_id for result in results) == ["q0", "q1", "q2", "q3"]
    assert (tmp_path / "out/one/runs.jsonl.damaged").read_text(encoding="utf-8") == damage + "\n"
    assert any("runs.jsonl:2" in note for note in notes)


def test_an_agent_that_cannot_listen_is_refused_when_it_should(
    questions: Questions, one_experiment: Build, tmp_path: Path
) -> None:
    config = one_experiment(
        questions(2, history=3), agent={"type": "extractive"}, memory={"type": "lexical"}, ingestion="through_agent"
    )
    with pytest.raises(RunRefused, match="does not listen"):
        heams.run(config, tmp_path / "out")


def test_repeats_draw_differently_and_the_same_in_every_run(
    questions: Questions, one_experiment: Build, tmp_path: Path, replace: Callable[..., None]
) -> None:
    seeds: list[list[int]] = []
    for name in ("a", "b"):
        agent = Answers()
        replace(agent=agent)
        heams.run(one_experiment(questions(2), repeats=3), tmp_path / name)
        seeds.append(sorted(agent.seeds))
    assert len(set(seeds[0])) == 6
    assert seeds[0] == seeds[1]


def test_garbage_usage_is_an_error_of_the_scenario(
    questions: Questions, one_experiment: Build, tmp_path: Path, replace: Callable[..., None]
) -> None:
    replace(agent=Answers(lambda _: AgentReply.model_construct(text="x", usage={"agent": "lots"})))
    results = list(heams.run(one_experiment(questions(2), retries=0), tmp_path / "out"))
    assert [result.status for result in results] == ["error", "error"]


def test_an_exception_without_words_is_saved(
    questions: Questions, one_experiment: Build, tmp_path: Path, replace: Callable[..., None]
) -> None:
    class Mute(Exception):  # noqa: N818 - it has no words
        def __str__(self) -> str:
            raise RuntimeError

    def fail(_: Stimulus) -> str:
        raise Mute

    replace(agent=Answers(fail))
    (result,) = heams.run(one_experiment(questions(1), retries=0), tmp_path / "out")
    assert result.error is not None
    assert result.error.type == "Mute"


def test_data_that_changes_in_mid_run_ends_it_with_words(
    questions: Questions, one_experiment: Build, tmp_path: Path
) -> None:
    data = questions(500)

    class Cutter(RunListener):
        def experiment_started(self, name: str, *, total: int, finished: int, run_id: str) -> None:
            data.write_bytes(b"")

    with pytest.raises(RunRefused, match="cannot be read"):
        heams.run(one_experiment(data), tmp_path / "out", listener=Cutter())
    assert _status(tmp_path / "out").state == "failed"


def test_a_component_that_cannot_be_built_is_refused_with_words(
    questions: Questions, one_experiment: Build, tmp_path: Path, replace: Callable[..., None]
) -> None:
    class Unbuildable(Answers):
        def __init__(self) -> None:
            raise OSError("no such device")

    replace(agent=Unbuildable)
    with pytest.raises(RunRefused, match="no such device"):
        heams.run(one_experiment(questions(1)), tmp_path / "out")


def test_a_snapshot_that_cannot_be_kept_or_read_costs_nothing_but_time(
    questions: Questions, one_experiment: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(self: StoredMemory, directory: Path) -> None:
        raise OSError("no room for snapshots")

    config = one_experiment(questions(4, history=4), memory={"type": "lexical"}, retries=0)
    with monkeypatch.context() as patch:
        patch.setattr(StoredMemory, "persist", fail)
        results = heams.run(config, tmp_path / "out", limit=1)
    (record,) = results.experiments[0].ingests()
    assert record.status == "completed"
    assert "no room for snapshots" in record.unsupported[0]

    heams.run(config, tmp_path / "out", limit=2)
    (snapshot,) = (tmp_path / "out/one/snapshots").iterdir()
    for file in (snapshot / "state").rglob("*"):
        if file.is_file():
            file.write_bytes(b"damaged")
    results = heams.run(config, tmp_path / "out")
    assert {result.status for result in results} == {"completed"}
    assert len(results) == 4


def test_progress_is_counted_within_the_limit_and_a_smaller_one_takes_nothing_back(
    questions: Questions, one_experiment: Build, tmp_path: Path
) -> None:
    seen: list[tuple[int, int]] = []

    class Watch(RunListener):
        def experiment_started(self, name: str, *, total: int, finished: int, run_id: str) -> None:
            seen.append((finished, total))

    config = one_experiment(questions(5))
    stands: list[tuple[str, int, int, int | None]] = []
    for limit in (2, 3, None, 1):
        heams.run(config, tmp_path / "out", limit=limit, listener=Watch())
        status = _status(tmp_path / "out")
        stands.append((status.state, status.finished, status.total, status.limit))
    assert seen == [(0, 2), (2, 3), (3, 5), (1, 1)]
    assert stands == [
        ("completed", 2, 2, 2),
        ("completed", 3, 3, 3),
        ("completed", 5, 5, None),
        ("completed", 5, 5, None),
    ]


def test_a_changed_experiment_is_refused_before_the_others_are_played(
    questions: Questions, one_experiment: Build, tmp_path: Path
) -> None:
    config = one_experiment(questions(2))
    second = config["experiments"][0] | {"name": "two"}
    config["experiments"].append(second)
    heams.run(config, tmp_path / "out", only="two")
    second["repeats"] = 2
    with pytest.raises(RunRefused, match="'two' changed"):
        heams.run(config, tmp_path / "out")
    assert not (tmp_path / "out/one").exists()


def test_a_component_that_cannot_start_is_found_before_anything_is_played(
    questions: Questions, one_experiment: Build, tmp_path: Path
) -> None:
    config = one_experiment(questions(2))
    broken = config["experiments"][0] | {
        "name": "broken",
        "agent_config": {"type": "command", "command": ["no-such-program-anywhere"]},
    }
    config["experiments"].append(broken)
    with pytest.raises(RunRefused, match="no-such-program-anywhere"):
        heams.run(config, tmp_path / "out")
    assert not list((tmp_path / "out").rglob("runs.jsonl"))


def test_the_writer_gets_its_turn_among_many_scenarios(
    questions: Questions, one_experiment: Build, tmp_path: Path
) -> None:
    first: list[float] = []

    class Watch(RunListener):
        def result_durable(self, name: str, result: RunResult, *, final: bool) -> None:
            first.append(time.monotonic())

    config = one_experiment(questions(600, history=50), agent={"type": "extractive"}, memory={"type": "lexical"})
    heams.run(config, tmp_path / "out", max_concurrency=600, listener=Watch())
    batches = sum(later - earlier > 0.005 for earlier, later in pairwise(first))
    assert batches >= 3, "all results became durable in one go: the writer had to wait for every scenario"


def test_a_history_whose_state_died_is_heard_again(
    questions: Questions, one_experiment: Build, tmp_path: Path, replace: Callable[..., None]
) -> None:
    class Dying(LexicalMemorySystem):
        opened = 0

        async def open(self, scope: Any) -> Any:
            memory = await super().open(scope)
            type(self).opened += 1
            if type(self).opened == 1:

                async def fork() -> Any:
                    raise ConnectionError("the program is gone")

                memory.fork = fork
            return memory

    replace(memory_system=Dying(LexicalMemoryConfig()))
    config = one_experiment(questions(6, history=6), retries=1)
    results: Results = heams.run(config, tmp_path / "out", max_concurrency=1)
    assert [result.status for result in results] == ["completed"] * 6
