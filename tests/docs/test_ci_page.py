"""What the page on contextual integrity shows works as shown."""

import json
import re
from pathlib import Path

import pytest

import heams
from heams.benchmarks import create_benchmark
from heams.orchestration.component_types import component_adapter
from heta_framework.common.config import load_yaml, rewrite_paths, validate

_ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^ *```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_BLOCKS = _BLOCK.findall((_ROOT / "docs" / "benchmarks" / "ci.md").read_text(encoding="utf-8"))


def _of(language: str) -> list[str]:
    return [body for found, body in _BLOCKS if found == language]


def _official_results() -> str:
    """A line of results of the official pipeline."""
    attributes = {key: {"value": "v", "memory_statement": key} for key in ("debt", "allergy")}
    labels = {"debt": {"private": 1.0}, "allergy": {"necessary": 1.0}}
    solution = {
        "response_solution": "...",
        "revealed_attributes": {"debt": 1},
        "revealed_attributes_explanation": {},
    }
    trial = {"combination_trial=0": {"model_solution": solution}}
    context = {"recipient": "Dentist", "task": "Write", "labels_combined": labels, **trial}
    profile = {"bio": {"name": "Kim Doe"}, "information_attributes": attributes, "contexts": [context]}
    return json.dumps(profile) + "\n"


def test_the_python_of_the_page_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heams.run(_ROOT / "configs/runs/testing/ci_smoke.yaml", tmp_path / "results" / "ci")
    (tmp_path / "results.jsonl").write_text(_official_results(), encoding="utf-8")
    config = validate(load_yaml(_ROOT / "configs/benchmarks/ci.yaml"), component_adapter("benchmark"))
    scope = {"benchmark": create_benchmark(rewrite_paths(config, _ROOT)[0])}
    monkeypatch.chdir(tmp_path)
    first, second = _of("python")
    exec(compile(first, "ci.md", "exec"), scope)  # noqa: S102 - the page is ours
    assert capsys.readouterr().out == "violation 1.000, coverage 0.000, dropped contexts 0\n"
    exec(compile(second, "ci.md", "exec"), scope)  # noqa: S102 - the page is ours
    assert "| full_context | " in "\n".join(scope["sections"])  # type: ignore[arg-type]


def test_the_data_and_the_configuration_of_the_page_fit_together(tmp_path: Path) -> None:
    profiles, labels = _of("json")
    settings, judge = _of("yaml")
    (tmp_path / "datasets" / "ci").mkdir(parents=True)
    (tmp_path / "datasets/ci/profiles.json").write_text(profiles, encoding="utf-8")
    (tmp_path / "datasets/ci/labels.jsonl").write_text(labels, encoding="utf-8")
    file = tmp_path / "ci.yaml"
    indented = "".join(f"    {line}\n" for line in judge.splitlines()).replace("    ", "  - ", 1)
    file.write_text(settings + indented, encoding="utf-8")
    config = validate(load_yaml(file), component_adapter("benchmark"))
    benchmark = create_benchmark(rewrite_paths(config, tmp_path)[0])
    assert [sample.id for sample in benchmark.samples] == ["person-01-context-01"]
    assert [one.type for one in config.evaluators] == ["revealed", "evidence_recall", "llm_judge"]
