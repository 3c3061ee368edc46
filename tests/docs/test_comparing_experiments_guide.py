"""The guide to comparing experiments: its command prints what is shown, its Python runs, its names are right."""

import re
import shutil
import sys
from pathlib import Path

import pytest

import heams
from heams.cli.main import main
from heams.reporting.compare import ALLOWABLE
from heams.reporting.compare.gate_language import NUMBERS, parse_gate

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/guides/comparing_experiments.md").read_text(encoding="utf-8")
RUN_FILE = (
    "run_name: holistic\nmatrix:\n  agents: [extractive.yaml]\n  memory_systems: [hybrid.yaml, hybrid_screened.yaml]\n"
    "  benchmarks: [mpbench.yaml]\n"
)


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def test_the_first_command_and_the_python_give_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("configs", "datasets/mpbench"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "configs/runs/part.yaml").write_text(RUN_FILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    heams.run("configs/runs/part.yaml", "results/holistic")
    monkeypatch.setattr(sys, "argv", _blocks("console")[0].removeprefix("$ ").split())
    with pytest.raises(SystemExit) as ending:
        main()
    assert not ending.value.code
    printed = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    shown = [line.rstrip() for line in _blocks("text")[0].splitlines()]
    assert printed[2:] == shown
    (block,) = _blocks("python")
    exec(compile(block, "comparing_experiments.md", "exec"), {})  # noqa: S102 - the page is ours
    assert capsys.readouterr().out.startswith("poisoning/resisted_write: +0.417, p 0.0001, TwoByTwo(both=0, only_a=0, ")


def test_every_name_is_documented_and_every_gate_can_be_read() -> None:
    named = set(re.findall(r"`([a-z_]+)`", GUIDE))
    assert {*ALLOWABLE, *NUMBERS} <= named
    gates = re.findall(r"--fail-if '([^']+)'", GUIDE)
    assert len(gates) == 2
    for gate in gates:
        parse_gate(gate)
