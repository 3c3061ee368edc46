"""A benchmark and an evaluator of a user's own run in a folder of their own; `.ci/wheel` does the same on the wheel."""

from __future__ import annotations

import json
import runpy
import shutil
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("lanterns.py")
MEANS = {
    f"{mode}.{score}" for mode in ("vector_search", "full_text_search") for score in ("one_house", "evidence_recall@1")
}


def test_a_program_in_a_fresh_folder_needs_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(shutil.copy(PROGRAM, tmp_path), run_name="__main__")
    assert json.loads(capsys.readouterr().out) == dict.fromkeys(MEANS, 1.0)


def test_its_imports_are_those_of_the_packages_alone() -> None:
    imported = {line.split()[1] for line in PROGRAM.read_text("utf-8").splitlines() if line.startswith("from heta")}
    assert imported == {
        "heta_framework.common.models",
        "heta_framework.common.stores",
        "heta_framework.evaluation",
        "heta_framework.kb",
    }
