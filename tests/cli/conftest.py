"""A small project on disk, and the command line run inside it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

FILES = {
    "configs/agents/words.yaml": "type: scripted\ndefault: kettle\n",
    "configs/memory_systems/none.yaml": "type: no_memory\n",
    "configs/benchmarks/mine.yaml": (
        "type: jsonl_qa\ndata_file: data/mine.jsonl\nquestion_prompt: '{question}'\n"
        "evaluators:\n  - type: task_qa\n    match_mode: contains\n"
    ),
    "configs/runs/mine.yaml": (
        "run_name: mine\nmatrix:\n  agents: [words.yaml]\n  memory_systems: [none.yaml]\n  benchmarks: [mine.yaml]\n"
    ),
}


class Said(NamedTuple):
    """What a command left: exit code, standard output, standard error."""

    code: int
    out: str
    err: str


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one run file; the current directory is elsewhere on purpose."""
    root = tmp_path / "project"
    rows = [{"id": f"q{n}", "question": f"What is {n}?", "answer": "kettle"} for n in range(3)]
    data = {"data/mine.jsonl": "".join(json.dumps(row) + "\n" for row in rows)}
    for name, content in {**FILES, **data}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    return root


@pytest.fixture
def heams(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run the command line in this process."""
    from heams.cli.main import main

    def call(*arguments: str | Path) -> Said:
        monkeypatch.setattr(sys, "argv", ["heams", *(str(argument) for argument in arguments)])
        code: str | int | None = 0
        try:
            main()
        except SystemExit as ending:
            code = ending.code
        said = capsys.readouterr()
        return Said(int(code or 0), said.out, said.err)

    return call
