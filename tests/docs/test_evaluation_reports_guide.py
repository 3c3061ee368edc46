"""The guide to reports works as shown, and names the fields that lines and entries have."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FOLDER = Path("objects/_heta/knowledge_bases/harbour/evaluations/first")


def test_its_blocks_print_what_they_show(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (repository / "docs/guides/evaluation_reports.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {"__name__": "guide"}
    blocks = _BLOCK.findall(page)
    programs = [body for language, body in blocks if language == "python"]
    for body in programs:
        exec(compile(body, "evaluation_reports.md", "exec"), scope)  # noqa: S102 - the page is ours
    assert capsys.readouterr().out == "".join(body for language, body in blocks if language == "text")
    assert len(programs) == 3
    named = set(re.findall(r"\w+", page))
    for name in ("cases.jsonl", "texts.jsonl"):
        for line in (_FOLDER / name).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            assert set(row) | set(row.get("response", {})) | set(row.get("result", {})) <= named | {"mode"}
    assert {path.name for path in _FOLDER.iterdir() if path.suffix.startswith(".json")} == {
        "report.json",
        "cases.jsonl",
        "texts.jsonl",
        "run.json",
    }
