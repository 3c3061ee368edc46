"""The guide to benchmark runs works as shown, and its table has every setting with its default."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from heta_framework.evaluation import BenchmarkRunConfig

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def page(repository: Path) -> str:
    return (repository / "docs/guides/evaluating_recipes.md").read_text(encoding="utf-8")


def test_its_blocks_print_what_they_show(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {"__name__": "guide"}
    blocks = _BLOCK.findall(page)
    programs = [body for language, body in blocks if language == "python"]
    for body in programs:
        exec(compile(body, "evaluating_recipes.md", "exec"), scope)  # noqa: S102 - the page is ours
    assert capsys.readouterr().out == "".join(body for language, body in blocks if language == "text")
    assert len(programs) == 2


def test_the_page_lists_every_setting_with_its_default(page: str) -> None:
    table = page.partition("## Settings")[2].partition("## Units")[0]
    rows = re.findall(r"^\| (`[^|]+`) \| ([^|]+) \|", table, re.MULTILINE)
    listed = {
        name: default
        for names, defaults in rows
        for name, default in zip(re.findall(r"`(\w+)`", names), defaults.strip().split(", "), strict=True)
    }
    assert listed == {
        field.name: str(getattr(BenchmarkRunConfig(), field.name)) for field in fields(BenchmarkRunConfig)
    }
