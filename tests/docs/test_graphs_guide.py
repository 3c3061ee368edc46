"""The guide to knowledge graphs works as shown, and its table names the options that there are."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from heta_framework.kb.graphing.searching.ppr_options import PprOptions


def test_its_block_runs_and_shows_what_it_says(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "graph").mkdir()
    page = (repository / "docs/guides/graphs.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    scope: dict[str, Any] = {"__name__": "guide"}
    exec(compile(block, "graphs.md", "exec"), scope)  # noqa: S102 - the page is ours
    *facts, passages, seeds = capsys.readouterr().out.splitlines()
    assert len(facts) == 4
    assert any("Ivo Brandt" in fact and fact.endswith("raw/captain.txt") for fact in facts)
    assert sorted(eval(passages)) == ["captain.txt", "ferry.txt", "pier.txt"]  # noqa: S307 - a list of names
    assert "Ivo Brandt" in seeds


def test_the_page_lists_every_option_with_its_default(repository: Path) -> None:
    page = (repository / "docs/guides/graphs.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", page, re.MULTILINE))
    for field in fields(PprOptions):
        usual = field.default
        shown = listed[field.name].strip()
        assert shown == (", ".join(f"`{one}`" for one in usual) if isinstance(usual, tuple) else str(usual).lower())
