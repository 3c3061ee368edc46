"""The guide to retrieval benchmarks works as shown, and its table of licences is the registry's."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from heta_framework.common.datasets import registry
from heta_framework.evaluation.benchmarks.jsonl.rows import read_cases, read_documents

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def page(repository: Path) -> str:
    return (repository / "docs/guides/retrieval_benchmarks.md").read_text(encoding="utf-8")


def test_its_blocks_print_what_they_show(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {"__name__": "guide"}
    blocks = _BLOCK.findall(page)
    ran = 0
    for (language, body), (next_language, shown) in pairwise(blocks):
        if language == "python":
            exec(compile(body, "retrieval_benchmarks.md", "exec"), scope)  # noqa: S102 - the page is ours
            assert next_language == "text"
            assert capsys.readouterr().out == shown
            ran += 1
    assert ran == 3


def test_its_rows_are_rows(page: str, tmp_path: Path) -> None:
    documents, cases = (body for language, body in _BLOCK.findall(page) if language == "json")
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "ferry.pdf").write_bytes(b"%PDF")
    for name, content in (("documents.jsonl", documents), ("cases.jsonl", cases)):
        (tmp_path / name).write_text(content)
    assert len(list(read_documents(tmp_path / "documents.jsonl", tmp_path))) == 2
    assert [case.case_id for case in read_cases(tmp_path / "cases.jsonl")] == [json.loads(cases)["case_id"]]


def test_its_licences_are_the_registered_ones(page: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \| (.+?) \|$", page, re.MULTILINE)
    pins = {"sha256": "sha256", "md5": "md5", "first use": "first download"}
    words = {"yes": "allowed", "no": "not allowed", "not stated": "not stated"}
    checked = {name: (use, by) for name, _, use, by in rows if name in registry()}
    assert {"beir_scifact", "beir_fiqa", "beir_hotpotqa", "multihop_rag"} <= checked.keys()
    for name, (use, by) in checked.items():
        entry = registry()[name]
        assert words[use] == entry.licence.commercial_words, name
        assert {pins[file.pin] for file in entry.files} == {by}, name
    named = {entry.name for entry in registry().values() if entry.name.startswith("beir_")} - checked.keys()
    assert len(named) == 10
    assert all(registry()[name].licence.name == "unknown" for name in named)
