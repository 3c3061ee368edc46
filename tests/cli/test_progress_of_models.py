"""Progress says what model calls have cost so far, and shows a sign of life while models take their time."""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import heams
from heams.cli import progress_plain
from heams.cli.model_words import model_words
from heams.cli.progress_live import LiveProgress
from heams.cli.progress_plain import PlainProgress
from heams.cli.tally import Tally, shown_cost
from heams.memory.base import Memory, MemoryCapabilities, MemoryEvent, MemoryScope, MemorySystem, RecallQuery
from heams.orchestration import component_types, components
from heams.orchestration.hearing_progress import HearingProgress
from heams.orchestration.listener import RunListener
from heams.scenarios.usage import Usage
from heta_framework.common.models.calls.activity import Activity
from heta_framework.common.models.calls.runtime import ModelRuntime

if TYPE_CHECKING:
    from model_server import LocalServer

Build = Callable[..., Any]
READER = {
    "type": "context",
    "model": "openai:reader",
    "prices": {"input": 1000, "output": 4000},
    "policy": "Answer from the notes.",
    "prompt": "{now} {memories} {principal} {question}",
    "memory_line": "{at} {speaker}: {text}",
    "no_memories": "(none)",
    "context_tokens": 100,
}


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        (Usage(), "$0 spent"),
        (Usage(calls=1, cost_usd=0.01234), "$0.0123 spent"),
        (Usage(calls=1, cost_usd=None), "cost unknown"),
    ],
)
def test_cost_so_far(usage: Usage, words: str) -> None:
    assert shown_cost(usage) == words


def test_nothing_is_said_before_the_first_call() -> None:
    assert model_words(None) == model_words(ModelRuntime()) == ""


def test_what_waits_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = ModelRuntime()
    now = Activity(in_flight=3, waiting_for_slot=20, waiting_to_send=2, backing_off=1, paused_s=12.3)
    monkeypatch.setattr(runtime, "activity", lambda: now)
    assert model_words(runtime) == (
        "models in all: 0 calls, $0 spent, 3 under way, 23 waiting, paused by the endpoint for 12s"
    )


def test_lines_tell_calls_and_cost_also_while_nothing_ends(
    openai_server: "Callable[..., LocalServer]", questions: Build, one_experiment: Build, tmp_path: Path,
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(progress_plain, "EVERY_S", 0.02)
    monkeypatch.setattr(progress_plain, "QUIET_S", 0.02)
    openai_server(brain={"fixed": "kettle 0"}, latency=0.2)
    config = one_experiment(questions(3), agent=READER)
    heams.run(config, tmp_path / "out", max_concurrency=1, listener=PlainProgress(), cache_dir=tmp_path / "cache")
    lines = [line for line in capfd.readouterr().err.splitlines() if line.startswith("one: ")]
    assert sum(line.startswith("one: 1/3") for line in lines) >= 2, "the second call takes its time"
    assert "models in all: 3 calls, $0.0" in lines[-1]
    assert lines[-1].endswith("completed")
    heams.run(config, tmp_path / "again", listener=PlainProgress(), cache_dir=tmp_path / "cache")
    assert "models in all: 0 calls, $0 spent, 3 answered from store" in capfd.readouterr().err.splitlines()[-1]


def test_the_live_table_has_a_line_about_models(
    openai_server: "Callable[..., LocalServer]", questions: Build, one_experiment: Build, tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    openai_server(brain={"fixed": "kettle 0"})
    with LiveProgress() as live:
        heams.run(one_experiment(questions(2), agent=READER), tmp_path / "out", listener=live)
    assert "models in all: 2 calls, $0." in capfd.readouterr().err


class Slow(Memory):
    """Takes its time to hear."""

    async def write(self, event: MemoryEvent) -> None:
        await asyncio.sleep(0.03)

    async def recall(self, query: RecallQuery) -> Sequence[Any]:
        return ()


class SlowSystem(MemorySystem):
    capabilities = MemoryCapabilities()

    def __init__(self, config: Any) -> None:
        self.config = config

    async def open(self, scope: MemoryScope) -> Memory:
        return Slow()


@pytest.fixture
def boxes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One question about a history of three sessions with four turns each, heard by a slow memory."""

    def create(kind: Any, config: Any) -> Any:
        return SlowSystem(config) if kind == "memory_system" else component_types.create_component(kind, config)

    monkeypatch.setattr(components, "create_component", create)
    turns = [{"id": f"t{n}", "speaker": "Ada", "content": f"Box {n}.", "session_id": f"s{n // 4}"} for n in range(12)]
    rows: list[dict[str, Any]] = [
        {"history": {"id": "boxes", "turns": turns}},
        {"id": "q", "question": "What?", "answer": "Box", "history": "boxes"},
    ]
    file = tmp_path / "boxes.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def test_lines_tell_how_far_a_history_is_heard(
    boxes: Path, one_experiment: Build, tmp_path: Path, capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(progress_plain, "EVERY_S", 0.02)
    monkeypatch.setattr(progress_plain, "QUIET_S", 0.02)
    heams.run(one_experiment(boxes), tmp_path / "out", listener=PlainProgress())
    lines = [line for line in capfd.readouterr().err.splitlines() if line.startswith("one: ")]
    told = [line.split("; hearing history boxes: ")[1] for line in lines if "; hearing " in line]
    heard = [int(words.split(" of ")[0]) for words in told]
    assert heard == sorted(heard)
    assert len(set(heard)) >= 3, "a memory takes a session at once"
    assert "hearing" not in lines[-1]


@pytest.mark.parametrize("ingestion", ["direct", "through_agent"])
def test_watchers_can_read_what_was_heard(boxes: Path, one_experiment: Build, tmp_path: Path, ingestion: str) -> None:
    seen: list[HearingProgress] = []

    class Watcher(RunListener):
        def history_started(self, name: str, hearing: HearingProgress) -> None:
            assert (name, hearing.history_id, hearing.heard, hearing.ended) == ("one", "boxes", 0, False)
            seen.append(hearing)

    agent = {"type": "scripted", "default": "x", "save_history": True}
    heams.run(one_experiment(boxes, agent=agent, ingestion=ingestion), tmp_path / "out", listener=Watcher())
    (hearing,) = seen
    assert hearing.heard == hearing.events >= 12
    assert hearing.ended


def test_several_histories_are_told_together() -> None:
    tally = Tally("one", 20, 0)
    first, second = HearingProgress("a", 1_000, heard=250), HearingProgress("b", 500)
    tally.begin_hearing(first)
    tally.begin_hearing(second)
    assert tally.hearing_words == "hearing 2 histories: 250 of 1,500 events"
    first.ended = True
    assert tally.hearing_words == "hearing history b: 0 of 500 events"
    second.ended = True
    assert tally.hearing_words == ""


def test_the_live_table_has_a_line_about_hearing(capfd: pytest.CaptureFixture[str]) -> None:
    with LiveProgress() as live:
        live.run_started(["one"])
        live.experiment_started("one", total=20, finished=0, run_id="r")
        live.history_started("one", HearingProgress("a", 1_000, heard=250))
    assert "one: hearing history a: 250 of 1,000 events" in capfd.readouterr().err
