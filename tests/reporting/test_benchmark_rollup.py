"""Roll-ups: which benchmarks have one, where it is written, and that it never builds a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from heams import plugins
from heams.benchmarks import factory
from heams.orchestration import component_types
from heams.reporting import benchmark_rollup
from heams.reporting.benchmark_rollup import (
    register_rollup_renderer,
    rollup_renderer,
    write_benchmark_rollup_reports,
)
from heams.reporting.load import ExperimentResults

Begin = Callable[..., Any]
Record = Callable[..., Any]


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(benchmark_rollup, "_registered", {})
    plugins.function_plugins.cache_clear()
    yield
    plugins.function_plugins.cache_clear()


def _names(results: Sequence[ExperimentResults]) -> list[str]:
    return [f"## {len(results)} experiments", ", ".join(experiment.name for experiment in results)]


def test_experiments_are_grouped_by_benchmark_type(experiment: Begin, record: Record, tmp_path: Path) -> None:
    for name, kind in (("a", "mine"), ("b", "mine"), ("c", "other")):
        experiment(name, benchmark={"type": kind}).add("q", record(1.0))
    register_rollup_renderer("mine")(_names)
    (path,) = write_benchmark_rollup_reports(tmp_path / "results")
    assert path == tmp_path / "results/_rollup/mine/report.md"
    head, _, rest = path.read_text(encoding="utf-8").partition("## How to read a cell")
    assert head == "# mine: all experiments\n\n## 2 experiments\n\na, b\n\n"
    assert rest.endswith("## Reports of the experiments\n\n- [a](../../a/report.md)\n- [b](../../b/report.md)\n")


def test_no_renderer_no_report(experiment: Begin, record: Record, tmp_path: Path) -> None:
    experiment(benchmark={"type": "unheard_of"}).add("q", record(1.0))
    assert write_benchmark_rollup_reports(tmp_path / "results") == []
    assert not (tmp_path / "results" / "_rollup").exists()


def test_a_type_cannot_leave_the_folder(experiment: Begin, record: Record, tmp_path: Path) -> None:
    experiment(benchmark={"type": "../../evil"}).add("q", record(1.0))
    register_rollup_renderer("../../evil")(lambda results: "one section")
    (path,) = write_benchmark_rollup_reports(tmp_path / "results")
    assert path.resolve().is_relative_to((tmp_path / "results" / "_rollup").resolve())
    assert "\n\none section\n\n" in path.read_text()


def test_the_folder_of_one_experiment_may_be_given(experiment: Begin, record: Record) -> None:
    one = experiment(benchmark={"type": "mine"})
    one.add("q", record(1.0))
    register_rollup_renderer("mine")(_names)
    (path,) = write_benchmark_rollup_reports(one.directory)
    assert "- [one](../../report.md)" in path.read_text()


def test_installed_packages_bring_renderers(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("theirs", "heams.reporting.figures:count", "heams.rollups")
    monkeypatch.setattr(plugins, "entry_points", lambda group: [point] if group == "heams.rollups" else [])
    from heams.reporting.figures import count

    assert rollup_renderer("theirs") is count
    assert rollup_renderer("nobodys") is None


def test_the_locomo_renderer_is_registered() -> None:
    from heams.benchmarks.locomo.report import render_locomo_rollup_sections

    assert rollup_renderer("locomo") is render_locomo_rollup_sections


def test_no_benchmark_agent_or_memory_is_ever_built(
    experiment: Begin, record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a roll-up reads saved artifacts only")

    monkeypatch.setattr(factory, "create_benchmark", refuse)
    monkeypatch.setattr(component_types, "create_component", refuse)
    monkeypatch.setattr("heams.benchmarks.locomo.benchmark.LocomoBenchmark.__init__", refuse)
    experiment(benchmark={"type": "locomo", "data_file": "gone/locomo10.json"}).add(
        "q", record(1.0, evaluator="locomo_qa", tags={"category": "temporal"})
    )
    assert len(write_benchmark_rollup_reports(tmp_path / "results")) == 1


def test_reporting_code_never_names_what_builds_components() -> None:
    import heams.benchmarks.locomo.report as report

    folder = Path(benchmark_rollup.__file__).parent
    sources = [*folder.glob("*.py"), *Path(report.__file__).parent.glob("report*.py")]
    assert len(sources) > 20
    for source in sources:
        text = source.read_text(encoding="utf-8")
        assert not [name for name in ("create_benchmark", "create_component", ".factory") if name in text], source
