"""The guide to knowledge bases works as shown."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest


def test_its_blocks_run_in_order_and_show_what_they_say(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(repository / "configs/recipes", tmp_path / "configs/recipes")
    monkeypatch.chdir(tmp_path)
    page = (repository / "docs/guides/knowledge_bases.md").read_text(encoding="utf-8")
    (shown_on_the_page,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    scope: dict[str, Any] = {"__name__": "guide"}
    for block in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(compile(block, "knowledge_bases.md", "exec"), scope)  # noqa: S102 - the page is ours
    shown = capsys.readouterr().out.splitlines()
    folder = shown_on_the_page.splitlines()
    assert shown[: len(folder)] == folder
    shown = shown[len(folder) :]
    assert shown[0] == "['fees.csv', 'ferry.txt', 'lights.md']"
    assert shown[1].startswith("succeeded [")
    assert shown[2] == "1"
    assert [line.split()[:2] for line in shown[3:6]] == [
        [mode, "raw/tides.txt"] for mode in ("vector_search", "full_text_search", "hybrid_search")
    ]
    assert shown[6] == "['lights-2024']"
    assert shown[7].startswith("error of parse_documents: raw/extra/drawing.dwg: file type 'dwg'")
    assert shown[8:] == [
        "What the harbour office knows 3",
        "The ferry to the island leaves at seven.",
        "['raw/ferry.txt', 'raw/lights.md', 'raw/tides.txt']",
        shown[11],
        "['raw/extra/drawing.dwg', 'raw/fees.html', 'raw/ferry.txt', 'raw/lights.md', 'raw/tides.txt']",
        "True",
        shown[14],
    ]
    assert shown[11].endswith(" ()")
    assert int(shown[14]) > 0
