"""Only regular files and folders are data; everything else is refused by its place, and never opened."""

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heams.orchestration.resolve import resolve_run_file, resolve_run_mapping
from heta_framework.common.config import ConfigError

Build = Callable[..., dict[str, Any]]


def _refusal(run: dict[str, Any], root: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        resolve_run_mapping(run, root=root)
    return str(caught.value)


def test_a_pipe_is_refused_and_not_waited_for(one_experiment: Build, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    told = _refusal(one_experiment(tmp_path / "pipe.jsonl"), tmp_path)
    assert "benchmark_config.data_file: found a pipe, which is neither a regular file nor a folder" in told


def test_a_socket_and_a_device_are_refused(one_experiment: Build, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        assert "found a socket" in _refusal(one_experiment(tmp_path / "s"), tmp_path)
    assert "found a device" in _refusal(one_experiment(Path("/dev/zero")), tmp_path)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs /proc")
def test_a_file_that_cannot_be_read_is_named(one_experiment: Build, tmp_path: Path) -> None:
    assert "data_file: '/proc/self/mem' cannot be read" in _refusal(one_experiment(Path("/proc/self/mem")), tmp_path)


@pytest.mark.parametrize("name", ["x" * 300, "x" * 5000, "a\0b", "x" * 300 + "/y.jsonl"])
def test_names_that_no_file_can_have(one_experiment: Build, tmp_path: Path, name: str) -> None:
    told = _refusal(one_experiment(Path(name)), tmp_path)
    assert "data_file: this path cannot be used" in told
    assert len(told) < 1000


@pytest.mark.parametrize("name", ["x" * 300, "x" * 5000, "a\0b"])
def test_component_files_that_cannot_exist_are_not_found(one_experiment: Build, tmp_path: Path, name: str) -> None:
    run = one_experiment(tmp_path / "q.jsonl")
    del run["experiments"][0]["agent_config"]
    run["experiments"][0]["agent_config_file"] = name
    assert "agent_config_file: no file" in _refusal(run, tmp_path)


def test_the_file_and_line_of_a_component_are_named(tmp_path: Path) -> None:
    for folder in ("agents", "memory_systems", "benchmarks", "runs"):
        (tmp_path / "configs" / folder).mkdir(parents=True)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "configs/agents/a.yaml").write_text("type: scripted\n")
    (tmp_path / "configs/memory_systems/m.yaml").write_text("type: no_memory\n")
    (tmp_path / "configs/benchmarks/b.yaml").write_text(
        "type: jsonl_qa\nquestion_prompt: '{question}'\ndata_file: pipe\n"
        "evaluators: [{type: task_qa, match_mode: exact}]\n"
    )
    run_file = tmp_path / "configs/runs/r.yaml"
    run_file.write_text("run_name: r\nmatrix: {agents: [a.yaml], memory_systems: [m.yaml], benchmarks: [b.yaml]}\n")
    with pytest.raises(ConfigError, match=r"b\.yaml:3: data_file: found a pipe"):
        resolve_run_file(run_file)


def test_an_empty_variable_is_told_to_be_empty(one_experiment: Build, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("DATA_DIR_OF_TEST", "")
    told = _refusal(one_experiment(Path("${DATA_DIR_OF_TEST}/not_here.jsonl")), tmp_path)
    assert "'${DATA_DIR_OF_TEST}/not_here.jsonl'; the environment variable DATA_DIR_OF_TEST is empty" in told
