"""What a program sees of the environment, and what a user is told when a program cannot be started."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from heams.agents.command import CommandAgent, CommandAgentConfig
from heams.external.launch import plan_launch
from heams.memory.base import MemoryScope, RecallQuery
from heams.memory.command import CommandMemoryConfig, CommandMemorySystem
from heta_framework.common.config import ConfigError


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (["node", "memory.js"], "node memory.js"),
        (["./memory"], "./memory"),
        (["python3", "my memory.py", "--key", "secret"], "python3 'my memory.py' …"),
        (["/opt/" + "deep/" * 20 + "python", "/srv/" + "deep/" * 20 + "memory.py", "x"], "python memory.py …"),
        (["x" * 100], "x" * 79 + "…"),
    ],
)
def test_how_messages_name_a_program(command: list[str], shown: str) -> None:
    launch = plan_launch(CommandAgentConfig(command=command))
    assert launch.label("agent") == f"agent program '{shown}'"


_SHOW_ENVIRONMENT = """
greet()
request = until("recall")
ok(request, [{"id": name, "text": value} for name, value in os.environ.items()])
"""


async def _environment_of(config: CommandMemoryConfig) -> dict[str, str]:
    system = CommandMemorySystem(config)
    await system.start()
    try:
        memory = await system.open(MemoryScope(id="a"))
        return {item.id: item.text for item in await memory.recall(RecallQuery(text="?"))}
    finally:
        await system.close()


def test_a_program_sees_only_path_home_lang_and_what_is_configured(
    program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVICE_API_KEY", "hunter2")
    monkeypatch.setenv("LANG", "C.UTF-8")
    seen = asyncio.run(_environment_of(program(_SHOW_ENVIRONMENT, env={"MODE": "fast"})))
    assert seen["MODE"] == "fast"
    assert seen["PATH"] == os.environ["PATH"]
    added_by_python = {"LC_CTYPE", "__CF_USER_TEXT_ENCODING"}
    assert set(seen) - added_by_python <= {"PATH", "HOME", "LANG", "MODE"}


def test_the_whole_environment_is_passed_on_only_when_asked_for(program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVICE_API_KEY", "hunter2")
    seen = asyncio.run(_environment_of(program(_SHOW_ENVIRONMENT, inherit_env=True, env={"LANG": "xx"})))
    assert seen["SERVICE_API_KEY"] == "hunter2"
    assert seen["LANG"] == "xx"


def test_the_program_runs_in_the_configured_folder(program: Any, tmp_path: Path) -> None:
    body = 'greet()\nrequest = until("recall")\nok(request, [{"id": "cwd", "text": os.getcwd()}])'
    assert asyncio.run(_environment_of(program(body, cwd=tmp_path)))["cwd"] == str(tmp_path.resolve())


def _start_problem(config: CommandAgentConfig) -> str:
    async def start() -> None:
        agent = CommandAgent(config)
        try:
            await agent.start()
        finally:
            await agent.close()

    with pytest.raises(ConfigError) as caught:
        asyncio.run(start())
    return str(caught.value)


def test_a_program_that_is_not_on_the_path() -> None:
    problem = _start_problem(CommandAgentConfig(command=["no-such-program-anywhere"]))
    assert problem == "command: found 'no-such-program-anywhere'; there is no such program on PATH"


def test_a_program_in_the_folder_needs_its_dot_and_slash(tmp_path: Path) -> None:
    script = tmp_path / "agent.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    assert _start_problem(CommandAgentConfig(command=["agent.sh"], cwd=tmp_path)).endswith("did you mean './agent.sh'?")


def test_a_path_that_does_not_exist(tmp_path: Path) -> None:
    problem = _start_problem(CommandAgentConfig(command=["./agent"], cwd=tmp_path))
    assert problem == f"command: found './agent'; there is no such program at {tmp_path / 'agent'}"


def test_a_file_that_is_not_executable(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("print()")
    assert "chmod +x" in _start_problem(CommandAgentConfig(command=["./agent.py"], cwd=tmp_path))


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("print()")
    (tmp_path / "agent.py").chmod(0o755)
    assert "'#!' line" in _start_problem(CommandAgentConfig(command=["./agent.py"], cwd=tmp_path))


def test_a_script_whose_interpreter_is_missing(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("#!/no/such/python\n")
    (tmp_path / "agent.py").chmod(0o755)
    assert "interpreter" in _start_problem(CommandAgentConfig(command=["./agent.py"], cwd=tmp_path))


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    problem = _start_problem(CommandAgentConfig(command=[sys.executable], cwd=tmp_path / "nowhere"))
    assert problem == f"cwd: found '{tmp_path / 'nowhere'}'; there is no such folder"


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "no such folder" in _start_problem(CommandAgentConfig(command=[sys.executable], cwd=tmp_path / "file"))
