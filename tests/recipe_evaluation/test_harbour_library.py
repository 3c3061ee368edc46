"""The shipped documents and questions: counted as their README says, labelled by words that are there."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def folder(repository: Path) -> Path:
    """Where they lie."""
    return repository / "datasets/harbour_library"


def test_every_label_names_a_document_and_quotes_it(folder: Path) -> None:
    texts = {row["document_id"]: row["text"] for row in _rows(folder / "documents.jsonl")}
    assert len(texts) == 42
    for case in _rows(folder / "cases.jsonl"):
        labels = case["expected"].get("evidence", [])
        assert labels or case["labels"]["kind"] == "nowhere"
        assert len({label["reference_id"] for label in labels}) == len(labels)
        for label in labels:
            assert label.get("text", "") in texts[label["reference_id"]], case["case_id"]
            assert label["metadata"]["relevance"] == (2 if "text" in label else 1)


def test_the_kinds_are_counted_as_the_readme_says(folder: Path) -> None:
    readme = (folder / "README.md").read_text(encoding="utf-8")
    told = {kind: int(count) for kind, count in re.findall(r"^\| `(\w+)` \| (\d+) \|", readme, re.MULTILINE)}
    assert Counter(case["labels"]["kind"] for case in _rows(folder / "cases.jsonl")) == told


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
