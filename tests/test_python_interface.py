"""What the Python interface refuses before anything is played."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import heams
from heams.orchestration.errors import RunRefused
from heta_framework.common.config import ConfigError

Questions = Callable[..., Path]
Build = Callable[..., dict[str, Any]]


@pytest.mark.parametrize("number", [0, -1, 1.5, True, "3"])
def test_numbers_that_are_no_counts(questions: Questions, one_experiment: Build, tmp_path: Path, number: Any) -> None:
    config = one_experiment(questions(1))
    with pytest.raises(ValueError, match="limit must be a whole number from 1 on; found"):
        heams.run(config, tmp_path / "out", limit=number)
    with pytest.raises(ValueError, match="max_concurrency must be a whole number from 1 on; found"):
        heams.run(config, tmp_path / "out", max_concurrency=number)
    with pytest.raises(ValueError, match="limit"):
        heams.validate(config, limit=number)
    assert not (tmp_path / "out").exists()


def test_one_name_may_be_given_as_text(questions: Questions, one_experiment: Build, tmp_path: Path) -> None:
    config = one_experiment(questions(1))
    assert len(heams.run(config, tmp_path / "out", only="one")) == 1
    with pytest.raises(RunRefused, match="no experiment is named 'two'"):
        heams.run(config, tmp_path / "out", only="two")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (Path("x"), r"type PosixPath; .*str\(path\)"),
        ({1, 2}, "type set"),
        (float("nan"), "nan; numbers must be finite"),
        ("\ud800", "half of a surrogate pair"),
        ({1: "x"}, "the key 1; keys must be text"),
        (b"x", "type bytes"),
    ],
)
def test_values_that_no_run_file_can_hold_are_named(
    questions: Questions, one_experiment: Build, value: Any, told: str
) -> None:
    config = one_experiment(questions(1), agent={"type": "scripted", "answers": {"q": value}})
    with pytest.raises(ConfigError, match=rf"experiments\.0\.agent_config\.answers\.q: found .*{told}"):
        heams.validate(config)


@pytest.mark.parametrize(
    ("setting", "value"), [("repeats", True), ("scenario_timeout_s", False), ("seed", True), ("retries", 1.5)]
)
def test_flags_are_no_numbers(questions: Questions, one_experiment: Build, setting: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=rf"experiments\.0\.{setting}: found .*must be a"):
        heams.validate(one_experiment(questions(1), **{setting: value}))


def test_a_number_may_come_from_the_environment(
    questions: Questions, one_experiment: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REPEATS_OF_TEST", "3")
    survey = heams.validate(one_experiment(questions(1), repeats="${REPEATS_OF_TEST}"))
    assert survey.run.experiments[0].settings.repeats == 3
