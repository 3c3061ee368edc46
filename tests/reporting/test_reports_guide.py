"""The guide to reports: its Python works, and its tables name what there is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heams.reporting import benchmark_rollup
from heams.reporting.reports import write_reports


def _guide(repository: Path) -> str:
    return (repository / "docs/guides/reports.md").read_text(encoding="utf-8")


def test_the_examples_run(
    repository: Path, experiment: Callable[..., Any], record: Callable[..., Any], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(benchmark_rollup, "_registered", {})
    experiment("one").add("a", record(0.5))
    (tmp_path / "results").rename(tmp_path / "quickstart")
    (tmp_path / "results").mkdir()
    (tmp_path / "quickstart").rename(tmp_path / "results/quickstart")
    monkeypatch.chdir(tmp_path)
    write, register = re.findall(r"```python\n(.*?)```", _guide(repository), re.DOTALL)
    exec(compile(register, "reports.md", "exec"), {})  # noqa: S102 - the page is ours
    exec(compile(write, "reports.md", "exec"), {})  # noqa: S102
    assert capsys.readouterr().out.strip() == "results/quickstart/_rollup/jsonl_qa/report.md"
    report = Path("results/quickstart/_rollup/jsonl_qa/report.md").read_text()
    assert "| lexical | 0.500, n 1 |" in report


def test_every_section_of_a_report_is_explained(
    repository: Path, experiment: Callable[..., Any], record: Callable[..., Any]
) -> None:
    one = experiment()
    one.add("a", record(0.5, tags={"x": "1"}), record(outcome="unscored", metric="other", tags={"x": "2"}))
    one.add("b", status="error")
    (path,) = write_reports(one.directory)
    titles = re.findall(r"^## (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(titles) >= 8
    for title in titles:
        assert title.partition(" by ")[0] in _guide(repository), title
