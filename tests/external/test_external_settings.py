"""Configurations of programs and servers are checked before anything is started."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from heams.agents.command import CommandAgentConfig
from heams.agents.http import HttpAgentConfig
from heams.memory.command import CommandMemoryConfig
from heams.memory.http import HttpMemoryConfig
from heta_framework.common.config import parse_yaml, rewrite_paths, validate

_COMMANDS = [CommandAgentConfig, CommandMemoryConfig]
_SERVERS = [HttpAgentConfig, HttpMemoryConfig]


@pytest.mark.parametrize("config", _COMMANDS)
@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"command": []}, "at least 1 item"),
        ({"command": "python3 memory.py"}, "valid list"),
        ({"command": [" "]}, "name of a program"),
        ({"command": ["a\0b"]}, "zero byte"),
        ({"command": ["x"], "env": {"A=B": "1"}}, "environment variable"),
        ({"command": ["x"], "env": {"A": "1\0"}}, "zero byte"),
        ({"command": ["x"], "processes": 0}, "greater than or equal to 1"),
        ({"command": ["x"], "call_timeout_s": 0}, "greater than 0"),
        ({"command": ["x"], "startup_timeout_s": float("inf")}, "finite|less than"),
        ({"command": ["x"], "shell": True}, "Extra inputs"),
    ],
)
def test_commands_that_cannot_work_are_refused(config: Any, given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        config(**given)


@pytest.mark.parametrize("config", _SERVERS)
@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"url": "localhost:8000"}, "http://127"),
        ({"url": "ftp://host/"}, "http://127"),
        ({"url": "http:///path"}, "http://127"),
        ({"url": "http://host:99999/"}, "Port out of range|port"),
        ({"url": "http://user:secret@host/"}, "headers"),
        ({"url": "http://host/\n"}, "http://127"),
        ({"url": "http://host/", "headers": {"X Y": "1"}}, "HTTP header"),
        ({"url": "http://host/", "headers": {"X": "a\r\nEvil: 1"}}, "one line"),
        ({"url": "http://host/", "headers": {"X": "schlüssel"}}, "ASCII"),
    ],
)
def test_servers_that_cannot_work_are_refused(config: Any, given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        config(**given)


@pytest.mark.parametrize("config", _SERVERS)
def test_headers_are_never_shown(config: Any) -> None:
    settings = config(url="http://host/", headers={"Authorization": "Bearer hunter2"})
    assert "hunter2" not in repr(settings) + str(settings) + settings.model_dump_json()


def test_variables_for_a_program_are_not_in_its_repr() -> None:
    assert "hunter2" not in repr(CommandAgentConfig(command=["x"], env={"API_KEY": "hunter2"}))


def test_relative_folders_and_files_are_taken_from_the_project_root(tmp_path: Path) -> None:
    document = parse_yaml("type: command\ncommand: [./run.sh]\nfiles: [run.sh]\n")
    config, _ = rewrite_paths(validate(document, CommandMemoryConfig), tmp_path)
    assert config.cwd == tmp_path
    assert config.files == (tmp_path / "run.sh",)
