"""Reports show charts where there is something to compare: files beside them, the same bytes each time."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from heams.benchmarks.info import BenchmarkInfo, ReportDimension
from heams.cli.main import app
from heams.reporting import benchmark_rollup, digest
from heams.reporting.charts import Bar, Figure, interval_chart, render
from heams.reporting.errors import ResultsError
from heams.reporting.reports import write_reports

Begin = Callable[..., Any]
Record = Callable[..., Any]
_PICTURE = re.compile(r"^!\[(.+)\]\((charts/[A-Za-z0-9_-]+\.svg)\)$", re.MULTILINE)


@pytest.fixture
def played(experiment: Begin, record: Record, tmp_path: Path) -> Path:
    """Three experiments of one benchmark with two criteria."""
    for memory, values in (("no_memory", [0.0, 0.0]), ("lexical", [1.0, 0.5]), ("vector", [0.5, 0.25])):
        folder = experiment(memory, memory=memory)
        for number, value in enumerate(values * 2):
            name = "[hostile](x) <b>" if number % 2 else "plain"
            folder.add(f"q{number}", record(value, tags={"criterion": name}), recalled=[10 + number + len(memory)])
    return tmp_path / "results"


def _pictures(report: Path) -> dict[str, str]:
    return {path: alt for alt, path in _PICTURE.findall(report.read_text(encoding="utf-8"))}


def test_reports_link_charts_beside_them_and_say_what_is_seen(played: Path) -> None:
    *experiments, common = write_reports(played)
    for report in experiments:
        assert list(_pictures(report)) == ["charts/scores.svg"]
    scores, cost = "charts/scores_own_questions_questions.svg", "charts/cost_own_questions_questions.svg"
    seen = _pictures(common)
    assert list(seen) == [scores, cost]
    assert seen[scores].endswith("f1: highest lexical (0.750), lowest no_memory (0.000).")
    assert seen[cost].endswith("No competitor beats vector (17.5, 0.375), lexical (18.5, 0.75).")
    for report in (*experiments, common):
        for path in _pictures(report):
            assert (report.parent / path).read_text(encoding="utf-8").startswith("<svg")
    assert "<b>" not in _pictures(experiments[0])["charts/scores.svg"]
    assert "[hostile](x) &lt;b&gt;" in (experiments[0].parent / "charts/scores.svg").read_text(encoding="utf-8")


def test_reports_and_charts_are_the_same_bytes_each_time(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def content() -> dict[Path, bytes]:
        monkeypatch.setattr(render, "_kept", render._Kept(0))
        write_reports(played)
        return {path: path.read_bytes() for path in sorted(played.rglob("*")) if path.suffix in (".svg", ".md")}

    first = content()
    assert len(first) == 4 + 3 + 2
    assert content() == first


def test_charts_can_be_left_out(played: Path) -> None:
    done = CliRunner().invoke(app, ["generate-report", str(played), "--no-charts"])
    assert done.exit_code == 0
    assert not list(played.rglob("*.svg"))
    assert "![" not in (played / "report.md").read_text(encoding="utf-8")


def test_without_a_comparison_there_is_no_chart(experiment: Begin, record: Record, tmp_path: Path) -> None:
    experiment().add("a", record(0.5))
    for report in write_reports(tmp_path / "results"):
        assert "![" not in report.read_text(encoding="utf-8")
    assert not list(tmp_path.rglob("charts"))


def test_a_folder_of_charts_that_cannot_be_written_is_named(played: Path) -> None:
    (played / "lexical" / "charts").write_text("in the way")
    with pytest.raises(ResultsError, match="lexical/charts"):
        write_reports(played)


def test_privacy_is_shown_against_use(
    experiment: Begin, record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = BenchmarkInfo("Secrets", ReportDimension.PRIVACY, headline_metrics=("kept", "useful"))
    monkeypatch.setattr(digest, "report_info", lambda _: info)
    for memory, kept, useful in (("lexical", 0.2, 0.9), ("vector", 0.8, 0.4)):
        experiment(memory, memory=memory).add("a", record(kept, metric="kept"), record(useful, metric="useful"))
    *_, common = write_reports(tmp_path / "results")
    alt = _pictures(common)["charts/trade_secrets.svg"]
    assert "kept (higher is better) against useful (higher is better)" in alt
    assert "vector (0.4, 0.8), lexical (0.9, 0.2)" in alt


def test_roll_ups_may_hold_figures(
    experiment: Begin, record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark_rollup, "_registered", {})
    experiment().add("a", record(0.5))

    @benchmark_rollup.register_rollup_renderer("jsonl_qa")
    def render(_: object) -> list[str]:
        bars = [Bar("one", 0.5), Bar("two", 0.7)]
        return ["## Own", Figure("own", "Two bars", lambda: interval_chart(bars, title="Own"))]

    (report,) = benchmark_rollup.write_benchmark_rollup_reports(tmp_path / "results")
    assert _pictures(report) == {"charts/own.svg": "Two bars"}
    assert (report.parent / "charts/own.svg").is_file()
    benchmark_rollup.write_benchmark_rollup_reports(tmp_path / "results", charts=False)
    assert not _pictures(report)
