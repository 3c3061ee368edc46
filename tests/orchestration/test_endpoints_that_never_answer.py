"""A run whose model never answers ends after its first calls, and says where and why."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from typer.testing import CliRunner

import heams
from heams.cli.main import app
from heams.orchestration.call_watch import MOST_IN_VAIN

if TYPE_CHECKING:
    from model_server import LocalServer

Build = Callable[..., Any]
Server = Callable[..., "LocalServer"]


def _command(tmp_path: Path, config: dict[str, Any]) -> Any:
    run_file = tmp_path / "run.yaml"
    run_file.write_text(yaml.safe_dump(config), encoding="utf-8")
    words = ["run", "--config", str(run_file), "--output-dir", str(tmp_path / "out"), "--plain"]
    return CliRunner().invoke(app, [*words, "--max-concurrency", "4"])


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ({"faults": [{"fault": "unauthorised"}]}, "HTTP 401"),
        ({"models": ["another"]}, "HTTP 404"),
        ({"faults": [{"fault": "html"}]}, "most end in /v1"),
        ({"faults": [{"fault": "disconnect"}]}, "Connection error"),
    ],
)
def test_it_stops_and_can_be_resumed(
    openai_server: Server, questions: Build, one_experiment: Build, reader: dict[str, Any], lines: Build,
    tmp_path: Path, script: dict[str, Any], words: str,
) -> None:  # fmt: skip
    server = openai_server(**script)
    config = one_experiment(questions(60), agent=reader | {"max_attempts": 1})
    done = _command(tmp_path, config)
    assert done.exit_code == 1
    assert f"Stopped: none of the first {MOST_IN_VAIN} calls of openai:reader at {server.base_url}" in done.stderr
    assert words in done.stderr
    assert "Resume with:" in done.stderr
    assert MOST_IN_VAIN <= len(lines()) <= MOST_IN_VAIN + 4
    openai_server(brain={"fixed": "kettle 0"})
    results = heams.run(config, tmp_path / "out")
    assert [result.status for result in results] == ["completed"] * 60


def test_one_reply_shows_that_it_answers(
    openai_server: Server, questions: Build, one_experiment: Build, reader: dict[str, Any], tmp_path: Path
) -> None:
    openai_server(brain={"fixed": "x"}, faults=[{"fault": "unauthorised", "text": "number ([2-9]|[0-9]{2})"}])
    config = one_experiment(questions(40), agent=reader, retries=0)
    results = list(heams.run(config, tmp_path / "out", max_concurrency=1))
    assert [result.status for result in results] == ["completed"] * 2 + ["error"] * 38


def test_what_is_wrong_with_a_request_says_nothing_of_others(
    openai_server: Server, questions: Build, one_experiment: Build, reader: dict[str, Any], tmp_path: Path
) -> None:
    openai_server(brain={"fixed": "x"}, faults=[{"fault": "context_length", "text": "number [0-9]{1,2} "}])
    results = heams.run(one_experiment(questions(40), agent=reader, retries=0), tmp_path / "out")
    assert [result.status for result in results] == ["error"] * 40


def test_a_dead_address_is_named(
    questions: Build, one_experiment: Build, reader: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-nobody")
    agent = reader | {"base_url": "http://ada:sesame-open@127.0.0.1:1/v1", "max_attempts": 1}
    (result,) = heams.run(one_experiment(questions(1), agent=agent, retries=0), tmp_path / "out")
    assert result.error is not None
    assert "[base_url http://ada:***@127.0.0.1:1/v1]" in result.error.message
