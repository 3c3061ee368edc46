"""The guide to `heams evaluate` works as shown: its command, its configurations, its benchmark of one's own."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from heams.cli.main import main
from heams.recipe_evaluation.resolve import resolve_evaluation

PAGE = "docs/guides/evaluating_recipes_from_the_command_line.md"
MODE = "full_text_search"


@pytest.fixture
def page(repository: Path) -> str:
    """The page's text."""
    return (repository / PAGE).read_text(encoding="utf-8")


def _blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}[^\n]*\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def test_the_command_prints_what_is_shown(
    page: str,
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for folder in ("configs", "datasets/harbour_library"):
        shutil.copytree(repository / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "argv", _blocks(page, "console")[0].removeprefix("$ ").split())
    with pytest.raises(SystemExit) as ending:
        main()
    assert not ending.value.code
    shown = _timeless(_blocks(page, "text")[0])
    assert _timeless(capsys.readouterr().out)[: len(shown)] == shown


def test_its_configurations_resolve_and_its_benchmark_is_made(
    page: str, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("configs/recipes", "datasets/harbour_library"):
        shutil.copytree(repository / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "harbour_benchmark.py").write_text(_blocks(page, "python")[0], encoding="utf-8")
    (tmp_path / "configs/benchmarks").mkdir()
    recipe, found = tmp_path / "configs/recipes/full_text.yaml", []
    for number, block in enumerate(_blocks(page, "yaml")):
        file = tmp_path / f"configs/benchmarks/block_{number}.yaml"
        file.write_text(block, encoding="utf-8")
        found.append(resolve_evaluation(recipe, file, [MODE]))
    answers, own = found
    assert [model.endpoint.model_id for model in answers.benchmark.models] == ["openai:gpt-4o-mini"]
    assert own.made.manifest.name == "harbour"
    assert {file.field for file in own.benchmark.files} == {"data.0", "code"}


def test_every_benchmark_file_that_ships_resolves(repository: Path) -> None:
    from heams.retrieval_benchmarks.factory import retrieval_types

    recipe = repository / "configs/recipes/full_text.yaml"
    files = sorted((repository / "configs/benchmarks").rglob("*.yaml"))
    types = {file: re.findall(r"^type: (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)[0] for file in files}
    retrieval = [file for file, name in types.items() if name in retrieval_types()]
    assert {types[file] for file in retrieval} == set(retrieval_types()) - {"python"}
    for file in retrieval:
        assert resolve_evaluation(recipe, file, [MODE]).experiments


def _timeless(text: str) -> list[str]:
    lines = re.sub(r" +[\d.]+ m?s\b", " TIME", text).splitlines()
    return [line.rstrip() for line in lines if line.strip()]
