"""A replay with another prompt says at once what is missing: by its exit code, its words, and no vain attempts."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from typer.testing import CliRunner

import heams
from heams.cli.main import app

if TYPE_CHECKING:
    from model_server import LocalServer

Build = Callable[..., Any]


def _replayed(tmp_path: Path, config: dict[str, Any], cassette: Path) -> Any:
    run_file = tmp_path / "run.yaml"
    run_file.write_text(yaml.safe_dump(config), encoding="utf-8")
    words = ["run", "--config", str(run_file), "--output-dir", str(tmp_path / "out"), "--replay", str(cassette)]
    return CliRunner().invoke(app, [*words, "--plain"])


def test_exit_code_and_words(
    openai_server: "Callable[..., LocalServer]", questions: Build, one_experiment: Build, reader: dict[str, Any],
    lines: Build, tmp_path: Path,
) -> None:  # fmt: skip
    openai_server(brain={"fixed": "kettle 0"})
    cassette = tmp_path / "calls.jsonl"
    heams.run(one_experiment(questions(3), agent=reader), tmp_path / "recorded", record=cassette)
    done = _replayed(tmp_path, one_experiment(questions(5), agent=reader, retries=3), cassette)
    assert done.exit_code == 1
    assert "2 calls are not in the cassette. The first:" in done.stderr
    assert "The nearest recorded one is in line" in done.stderr
    assert "same command again" not in done.stdout
    assert [line["attempt"] for line in lines()] == [1] * 5, "a second attempt would miss the same call"


def test_a_whole_replay_ends_well(
    openai_server: "Callable[..., LocalServer]", questions: Build, one_experiment: Build, reader: dict[str, Any],
    tmp_path: Path,
) -> None:  # fmt: skip
    openai_server(brain={"fixed": "kettle 0"})
    config, cassette = one_experiment(questions(3), agent=reader), tmp_path / "calls.jsonl"
    heams.run(config, tmp_path / "recorded", record=cassette)
    done = _replayed(tmp_path, config, cassette)
    assert done.exit_code == 0
    assert "not in the cassette" not in done.stderr
