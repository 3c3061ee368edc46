"""The run file that plays everything offline resolves, names every benchmark, and calls no model."""

from pathlib import Path
from typing import Any, get_args

import yaml

from heams.benchmarks.factory import BenchmarkConfig
from heams.orchestration.resolve import resolve_run_file
from heams.orchestration.run_file import RunFile

_CONFIGS = Path(__file__).parents[2] / "configs"


def _read(*place: str) -> dict[str, Any]:
    content = yaml.safe_load(_CONFIGS.joinpath(*place).read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def _named(kind: str) -> set[str]:
    run = RunFile.model_validate(_read("runs", "holistic_offline.yaml"))
    assert run.matrix is not None
    field = f"{kind.removesuffix('s')}_config_file"
    return {*getattr(run.matrix, kind), *(getattr(entry, field) for entry in run.experiments)}


def test_every_type_of_benchmark_is_played() -> None:
    types = {member.model_fields["type"].default for member in get_args(get_args(BenchmarkConfig)[0])}
    assert {_read("benchmarks", name)["type"] for name in _named("benchmarks")} == types


def test_every_part_is_offline() -> None:
    for kind in ("agents", "memory_systems", "benchmarks"):
        for name in _named(kind):
            text = (_CONFIGS / kind / name).read_text(encoding="utf-8")
            assert "HEAMS_DATA_DIR" not in text, name
            assert "model: openai" not in text, name


def test_it_resolves() -> None:
    found = resolve_run_file(_CONFIGS / "runs" / "holistic_offline.yaml").experiments
    assert len({experiment.name for experiment in found}) == len(found) >= 80


def test_experiments_are_called_as_a_matrix_would_call_them() -> None:
    for entry in RunFile.model_validate(_read("runs", "holistic_offline.yaml")).experiments:
        files = (entry.agent_config_file, entry.memory_system_config_file, entry.benchmark_config_file)
        assert entry.name == "__".join(str(file).removesuffix(".yaml") for file in files)
