"""The guide to knowledge bases works as shown."""

import re
from pathlib import Path
from typing import Any

import pytest


def test_its_blocks_run_in_order_and_show_what_they_say(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (repository / "docs/guides/knowledge_bases.md").read_text(encoding="utf-8")
    scope: dict[str, Any] = {"__name__": "guide"}
    for block in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(compile(block, "knowledge_bases.md", "exec"), scope)  # noqa: S102 - the page is ours
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("succeeded [")
    assert shown[1] == "1"
    assert [line.split()[:2] for line in shown[2:5]] == [
        [mode, "raw/tides.txt"] for mode in ("vector_search", "full_text_search", "hybrid_search")
    ]
    assert shown[5].startswith("parse_documents ")
    assert shown[5].endswith(" raw/extra/drawing.dwg")
    assert shown[6:] == [
        "What the harbour office knows 3",
        "The ferry to the island leaves at seven.",
        "['raw/ferry.txt', 'raw/lights.md', 'raw/tides.txt']",
        shown[9],
        "['raw/extra/drawing.dwg', 'raw/fees.html', 'raw/ferry.txt', 'raw/lights.md', 'raw/tides.txt']",
        "True",
        shown[12],
    ]
    assert shown[9].endswith(" ()")
    assert int(shown[12]) > 0
