"""Progress says what model calls have cost so far, and shows a sign of life while models take their time."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import heams
from heams.cli import progress_plain
from heams.cli.model_words import model_words
from heams.cli.progress_live import LiveProgress
from heams.cli.progress_plain import PlainProgress
from heams.cli.tally import shown_cost
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
        "models: 0 calls, $0 spent, 3 under way, 23 waiting, paused by the endpoint for 12s"
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
    assert "models: 3 calls, $0.0" in lines[-1]
    assert lines[-1].endswith("completed")
    heams.run(config, tmp_path / "again", listener=PlainProgress(), cache_dir=tmp_path / "cache")
    assert "models: 0 calls, $0 spent, 3 answered from store" in capfd.readouterr().err.splitlines()[-1]


def test_the_live_table_has_a_line_about_models(
    openai_server: "Callable[..., LocalServer]", questions: Build, one_experiment: Build, tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    openai_server(brain={"fixed": "kettle 0"})
    with LiveProgress() as live:
        heams.run(one_experiment(questions(2), agent=READER), tmp_path / "out", listener=live)
    assert "models: 2 calls, $0." in capfd.readouterr().err
