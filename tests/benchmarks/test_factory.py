"""From a mapping to a benchmark: validation, dispatch, and the component files that this project ships."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from heams.benchmarks import (
    BenchmarkConfig,
    JsonlQABenchmark,
    LocomoBenchmark,
    create_benchmark,
)
from heams.orchestration.component_types import component_adapter, component_types
from heams.orchestration.run_file import RunFile
from heams.retrieval_benchmarks.factory import retrieval_adapter, retrieval_types
from heta_framework.common.config import load_yaml, rewrite_paths, validate

_ROOT = Path(__file__).parents[2]
_CONFIGS = _ROOT / "configs"
_ADAPTER: TypeAdapter[Any] = TypeAdapter(BenchmarkConfig)


def _is_of_recipes(file: Path) -> bool:
    return load_yaml(file, substitute_env=False).data["type"] in retrieval_types()


_FILES = sorted((_CONFIGS / "benchmarks").rglob("*.yaml"))


def _each(files: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("file", files, ids=lambda file: str(file.relative_to(_CONFIGS)))


each_component = _each([file for file in _FILES if not _is_of_recipes(file)])
each_of_recipes = _each([file for file in _FILES if _is_of_recipes(file)])
each_run = pytest.mark.parametrize("name", ["quickstart.yaml", "locomo_full.yaml", "testing/locomo_smoke.yaml"])


def test_a_locomo_mapping_becomes_a_locomo_benchmark(
    locomo_record: dict[str, Any], locomo_settings: dict[str, Any], write_json: Callable[[Any], Path]
) -> None:
    config = _ADAPTER.validate_python({"type": "locomo", "data_file": write_json([locomo_record]), **locomo_settings})
    assert isinstance(create_benchmark(config), LocomoBenchmark)


def test_a_jsonl_qa_mapping_becomes_a_jsonl_qa_benchmark(
    jsonl_settings: dict[str, Any], write_lines: Callable[[Any], Path]
) -> None:
    file = write_lines([{"id": "q1", "question": "Why?", "answer": None}])
    config = _ADAPTER.validate_python({"type": "jsonl_qa", "data_file": file, **jsonl_settings})
    assert isinstance(create_benchmark(config), JsonlQABenchmark)


@pytest.mark.parametrize("data", [{}, {"type": "locomoo"}, {"type": "locomo", "data_file": "x", "unknown": 1}])
def test_a_mapping_that_fits_no_benchmark_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        _ADAPTER.validate_python(data)


@pytest.mark.parametrize("missing", ["prompts", "evaluators", "data_file"])
def test_prompts_and_evaluators_have_no_hidden_defaults(locomo_settings: dict[str, Any], missing: str) -> None:
    settings = {"type": "locomo", "data_file": "x.json", **locomo_settings}
    del settings[missing]
    with pytest.raises(ValidationError, match=missing):
        _ADAPTER.validate_python(settings)


@each_component
def test_shipped_component_files_are_valid(file: Path) -> None:
    document = load_yaml(file, env={"HEAMS_DATA_DIR": "/data"})
    assert validate(document, component_adapter("benchmark")).type in component_types("benchmark")


@each_of_recipes
def test_shipped_benchmarks_of_recipes_are_valid(file: Path) -> None:
    document = load_yaml(file, env={"HEAMS_DATA_DIR": "/data"})
    assert validate(document, retrieval_adapter()).type in retrieval_types()


@each_component
def test_shipped_component_files_over_shipped_data_have_samples(file: Path) -> None:
    document = load_yaml(file, env={"HEAMS_DATA_DIR": "/nowhere"})
    config, paths = rewrite_paths(validate(document, component_adapter("benchmark")), _ROOT)
    if any(path.is_relative_to("/nowhere") for path in paths.values()):
        assert "HEAMS_DATA_DIR" in file.read_text("utf-8")
        return
    benchmark = create_benchmark(config)
    assert len(benchmark.samples) == (config.limit or len(benchmark.samples)) > 0
    assert {reason.kind for reason in benchmark.skipped} <= {"repaired"}


@each_run
def test_shipped_run_files_name_benchmarks_that_exist(name: str) -> None:
    run = validate(load_yaml(_CONFIGS / "runs" / name), RunFile)
    listed = [entry.benchmark_config_file for entry in run.experiments]
    assert all((_CONFIGS / "benchmarks" / str(file)).is_file() for file in [*listed, *_benchmarks_of(run)])
    assert run.run_name == Path(name).stem


def _benchmarks_of(run: RunFile) -> tuple[Any, ...]:
    return run.matrix.benchmarks if run.matrix else ()
