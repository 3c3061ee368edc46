"""A run is not continued when an environment variable that belongs to its configuration has another value."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import heams
from heams.orchestration.errors import RunRefused

Questions = Callable[..., Path]
Build = Callable[..., dict[str, Any]]
LONG = "a value of the environment that nobody could guess"


def _saved(output: Path) -> str:
    (file,) = (output / "one").glob("experiment_config.*.yaml")
    return file.read_text(encoding="utf-8")


def test_another_value_is_named_and_never_shown(
    questions: Questions, one_experiment: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = one_experiment(questions(1), agent={"type": "scripted", "default": "${ANSWER}"})
    monkeypatch.setenv("ANSWER", LONG)
    heams.run(config, tmp_path / "out")
    heams.run(config, tmp_path / "out")
    assert re.search(r"ANSWER: ['\"]?[0-9a-f]{16}['\"]?$", _saved(tmp_path / "out"), re.MULTILINE)
    assert LONG not in _saved(tmp_path / "out")
    monkeypatch.setenv("ANSWER", "another value that is not shown")
    with pytest.raises(
        RunRefused, match=r"environment variable ANSWER has another value than when run .* began"
    ) as told:
        heams.run(config, tmp_path / "out")
    assert "not shown" not in str(told.value)
    assert len(heams.run(config, tmp_path / "out", new_run=True)) == 1


def test_it_holds_for_component_files(
    questions: Questions, one_experiment: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "configs/agents").mkdir(parents=True)
    (tmp_path / "configs/agents/a.yaml").write_text("type: scripted\ndefault: ${ANSWER:-kettle}\n", encoding="utf-8")
    config = one_experiment(questions(1))
    del config["experiments"][0]["agent_config"]
    config["experiments"][0]["agent_config_file"] = "a.yaml"
    heams.run(config, tmp_path / "out", root=tmp_path)
    monkeypatch.setenv("ANSWER", "kettle")
    heams.run(config, tmp_path / "out", root=tmp_path)  # the default in other words
    monkeypatch.setenv("ANSWER", "violin")
    with pytest.raises(RunRefused, match="ANSWER"):
        heams.run(config, tmp_path / "out", root=tmp_path)


def test_every_run_has_its_own_salt(
    questions: Questions, one_experiment: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANSWER", "x")
    config = one_experiment(questions(1), agent={"type": "scripted", "default": "${ANSWER}"})
    for name in ("a", "b"):
        heams.run(config, tmp_path / name)
    digests = [re.findall(r"ANSWER: (.*)", _saved(tmp_path / name)) for name in ("a", "b")]
    assert digests[0] != digests[1]


@pytest.mark.parametrize("agent", [{"default": "${MY_TOKEN}"}, {"answers": {"api_key": "${PLAIN}"}}])
def test_secrets_leave_no_trace_and_may_change(
    questions: Questions, one_experiment: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: dict[str, Any]
) -> None:
    config = one_experiment(questions(1), agent={"type": "scripted"} | agent)
    for value in ("first", "second"):
        monkeypatch.setenv("MY_TOKEN", value)
        monkeypatch.setenv("PLAIN", value)
        heams.run(config, tmp_path / "out")
    assert "salt" not in _saved(tmp_path / "out")


def test_the_place_of_a_file_may_change(
    questions: Questions, one_experiment: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = questions(1)
    config = one_experiment(Path("${FOLDER_OF_TEST}/questions.jsonl"))
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "questions.jsonl").write_bytes(data.read_bytes())
        monkeypatch.setenv("FOLDER_OF_TEST", str(tmp_path / name))
        heams.run(config, tmp_path / "out")
    assert "salt" not in _saved(tmp_path / "out")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "just text\n",
        "[1]\n",
        "run_id: x\n",
        "a: [\n",
        "agent_config: 5\nmemory_system_config: {}\nbenchmark_config: {}\nsettings: {}\nprovenance: {data: []}\n",
        "agent_config: {}\nmemory_system_config: {}\nbenchmark_config: {}\nsettings: {}\n",
        "agent_config: {}\nmemory_system_config: {}\nbenchmark_config: {}\nsettings: {}\nprovenance: {data: 5}\n",
        "agent_config: {}\nmemory_system_config: {}\nbenchmark_config: {}\nsettings: {}\nprovenance:\n"
        "  data: [{component: agent, field: a.0.b, sha256: x}]\n",
        "agent_config: {a: text}\nmemory_system_config: {}\nbenchmark_config: {}\nsettings: {}\nprovenance:\n"
        "  data: [{component: agent, field: a.b, sha256: x}]\n",
    ],
)
def test_a_damaged_saved_configuration_is_refused_by_name(
    questions: Questions, one_experiment: Build, tmp_path: Path, content: str
) -> None:
    config = one_experiment(questions(1))
    heams.run(config, tmp_path / "out")
    (file,) = (tmp_path / "out/one").glob("experiment_config.*.yaml")
    file.write_text(content, encoding="utf-8")
    with pytest.raises(RunRefused, match=r"is damaged .*--new-run") as told:
        heams.run(config, tmp_path / "out")
    assert str(file) in str(told.value)
    assert len(heams.run(config, tmp_path / "out", new_run=True)) == 1
