"""What is wrong with a run's models is found before the first scenario, and named with component, file and variable."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

import heams
from heams.cli.main import app
from heams.orchestration.errors import RunRefused
from heams.orchestration.model_checks import planned_models
from heams.orchestration.resolve import resolve_run_file, resolve_run_mapping
from heams.orchestration.used_models import models_of
from heta_framework.common.models.settings import LanguageModelConfig

Build = Callable[..., Any]


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANOTHER_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def project(tmp_path: Path, questions: Build, reader: dict[str, Any]) -> Path:
    """A run file of three experiments; the last one names its agent by file and lacks a key."""
    agents = tmp_path / "configs/agents"
    agents.mkdir(parents=True)
    (agents / "reader.yaml").write_text(yaml.safe_dump(reader | {"api_key_env": "ANOTHER_KEY"}), encoding="utf-8")
    benchmark = {
        "type": "jsonl_qa", "data_file": str(questions(2)), "question_prompt": "{question}",
        "evaluators": [{"type": "task_qa", "match_mode": "contains"}],
    }  # fmt: skip
    matrix = {
        "agents": [{"type": "scripted", "default": "x"}, "reader.yaml"],
        "memory_systems": [{"type": "no_memory"}],
        "benchmarks": [benchmark],
    }
    run_file = tmp_path / "run.yaml"
    run_file.write_text(yaml.safe_dump({"run_name": "keys", "matrix": matrix}), encoding="utf-8")
    return run_file


def test_a_missing_key_is_refused_before_the_first_experiment_plays(project: Path, tmp_path: Path) -> None:
    with pytest.raises(RunRefused) as refusal:
        heams.run(project, tmp_path / "out")
    said = str(refusal.value)
    for part in ("reader__no_memory__jsonl_qa", "reader.yaml", "ANOTHER_KEY", "api_key_env", "openai:reader"):
        assert part in said
    assert not (tmp_path / "out").exists()


def test_only_chosen_experiments_need_keys(project: Path, tmp_path: Path) -> None:
    assert len(heams.run(project, tmp_path / "out", only="scripted__no_memory__jsonl_qa")) == 2


def test_the_command_says_it_without_a_traceback(project: Path, tmp_path: Path) -> None:
    from subprocess import run
    from sys import executable

    main = "from heams.cli.main import main; main()"
    done = run(
        [executable, "-c", main, "run", "--config", str(project), "--output-dir", str(tmp_path / "out")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("error: experiment 'reader__no_memory__jsonl_qa': agent (reader.yaml)")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("is_set", [True, False])
def test_validate_names_models_keys_and_prices_and_never_a_key(
    project: Path, monkeypatch: pytest.MonkeyPatch, is_set: bool
) -> None:
    if is_set:
        monkeypatch.setenv("ANOTHER_KEY", "sk-very-secret")
    shown = CliRunner().invoke(app, ["validate", "--config", str(project)])
    assert shown.exit_code == 0
    assert "agent (reader.yaml): openai:reader" in shown.output
    assert "at the endpoint of openai" in shown.output
    assert ("ANOTHER_KEY is set" in shown.output) == is_set
    assert ("heams run needs it" in shown.output) != is_set
    assert "price: known" in shown.output
    assert "as many as reader make" in shown.output
    assert "sk-very-secret" not in shown.output


def test_an_endpoint_of_your_own_needs_no_key_and_has_no_known_price(
    project: Path, monkeypatch: pytest.MonkeyPatch, reader: dict[str, Any]
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://user:hidden-word@localhost:1/v1?api_key=hidden-too")
    del reader["prices"]
    (project.parent / "configs/agents/reader.yaml").write_text(yaml.safe_dump(reader), encoding="utf-8")
    shown = CliRunner().invoke(app, ["validate", "--config", str(project)])
    assert "http://user:***@localhost:1/v1?api_key=***" in shown.output
    assert "price: unknown" in shown.output
    assert "needs it" not in shown.output
    assert "hidden" not in shown.output


def test_models_are_found_wherever_they_stand(questions: Build, one_experiment: Build, reader: dict[str, Any]) -> None:
    from pydantic import BaseModel

    from heta_framework.common.models.settings import EmbeddingModelConfig, LanguageModelConfig

    class Deep(BaseModel):
        llm: LanguageModelConfig
        panel: tuple[LanguageModelConfig, ...]
        named: dict[str, EmbeddingModelConfig | str]

    one, two = LanguageModelConfig(model="openai:one"), LanguageModelConfig(model="openai:two")
    deep = Deep(llm=one, panel=(one, two), named={"vectors": EmbeddingModelConfig(model="openai:three"), "x": "y"})
    assert [(used.field, used.endpoint.model) for used in models_of(deep)] == [
        ("llm", "openai:one"), ("panel.0", "openai:one"), ("panel.1", "openai:two"), ("named.vectors", "openai:three"),
    ]  # fmt: skip
    (planned,) = planned_models(resolve_run_mapping(one_experiment(questions(1), agent=reader)).experiments)
    assert (planned.place, planned.used.field) == ("agent (context, inline)", "")


def test_a_component_file_of_several_experiments_is_named_once(project: Path) -> None:
    experiments = resolve_run_file(project).experiments
    assert len(planned_models([*experiments, *experiments])) == 1


@pytest.mark.parametrize(
    ("key", "address", "words"),
    [
        ("sk-schlüssel-geheim", "", "ANOTHER_KEY holds spaces or characters that no key can have"),
        ("sk-two\nlines-of-it", "", "ANOTHER_KEY holds spaces or characters that no key can have"),
        ("sk-good", "localhost:8000/v1", "OPENAI_BASE_URL is 'localhost:8000/v1', but an address such as"),
        ("sk-good", "http://localhost:port/v1", "OPENAI_BASE_URL is 'http://localhost:port/v1', but"),
    ],
)
def test_keys_and_addresses_that_cannot_be_used(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, address: str, words: str
) -> None:
    monkeypatch.setenv("ANOTHER_KEY", key)
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    with pytest.raises(RunRefused) as refusal:
        heams.run(project, tmp_path / "out")
    assert words in str(refusal.value)
    assert "schlüssel" not in str(refusal.value)
    assert not (tmp_path / "out").exists()
    if not address:
        assert words in CliRunner().invoke(app, ["validate", "--config", str(project)]).output


def test_white_space_around_a_key_or_an_address_is_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    model = LanguageModelConfig(model="openai:m")
    monkeypatch.setenv("OPENAI_API_KEY", " sk-from-a-file\n")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1\n")
    assert (model.api_key(), model.resolved_base_url()) == ("sk-from-a-file", "http://localhost:1/v1")
    monkeypatch.setenv("OPENAI_API_KEY", " \n")
    assert model.api_key() is None


def test_a_key_in_place_of_its_variable_is_refused_and_not_shown(project: Path) -> None:
    agent = project.parent / "configs/agents/reader.yaml"
    agent.write_text(agent.read_text("utf-8").replace("ANOTHER_KEY", "sk-proj-8d7f6a5b"), encoding="utf-8")
    shown = CliRunner().invoke(app, ["validate", "--config", str(project)])
    assert shown.exit_code != 0
    said = f"{shown.output}{shown.exception}"
    assert "api_key_env" in said
    assert "never a key itself" in said
    assert "8d7f6a5b" not in said
