"""The README's first command prints what the README shows; only times may differ. Its Python runs."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from heams.cli.main import main

ROOT = Path(__file__).parents[2]


def _comparable(text: str) -> list[str]:
    timeless = re.sub(r" +[\d.]+ m?s", " TIME", text)
    return [
        line.rstrip()
        for line in timeless.splitlines()
        if line.strip() and not line.startswith(("Results:", "Reports:"))
    ]


def test_the_first_command_prints_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.search(r"```console\n(.*?)```", readme, re.DOTALL)
    shown = re.search(r"```text\n(.*?)```", readme, re.DOTALL)
    assert commands is not None
    assert shown is not None
    words = commands[1].splitlines()[0].removeprefix("$ uv run heams ").split()
    output = words.index("--output-dir") + 1
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "argv", ["heams", *words[:output], str(tmp_path / "out"), *words[output + 1 :]])
    main_ended = pytest.raises(SystemExit)
    with main_ended as ending:
        main()
    assert not ending.value.code
    assert _comparable(capsys.readouterr().out) == _comparable(shown[1])


def test_its_python_builds_a_knowledge_base_and_asks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "configs/recipes", tmp_path / "configs/recipes")
    shutil.copytree(ROOT / "docs/guides", tmp_path / "docs/guides")
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})  # noqa: S102 - the page is ours
    said = capsys.readouterr().out
    assert said.startswith("guides: succeeded\n")
    assert "components.md - " in said
