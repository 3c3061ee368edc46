"""The page about MPBench: its examples are valid, and it names every defect, metric and class."""

import json
import re
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter

from heams.benchmarks.mpbench import MPBenchBenchmark, MPBenchBenchmarkConfig, defects
from heams.benchmarks.mpbench.attacks import CLASS_NAMES
from heams.evaluation.poisoning import METRICS, PoisoningEvaluatorConfig
from heams.memory.factory import MemorySystemConfig

_PAGE = (Path(__file__).parents[2] / "docs" / "benchmarks" / "mpbench.md").read_text(encoding="utf-8")


def _block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", _PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_cases_of_the_page_are_played(tmp_path: Path) -> None:
    files = dict(zip(("adversarial_file", "benign_file"), _block("json").splitlines(), strict=True))
    for name, line in files.items():
        assert json.loads(line)
        (tmp_path / name).write_text(line)
    config = MPBenchBenchmarkConfig(
        adversarial_file=tmp_path / "adversarial_file",
        benign_file=tmp_path / "benign_file",
        memory_policy=None,
        question_prompt="{question}",
        evaluators=(PoisoningEvaluatorConfig(),),
    )
    benchmark = MPBenchBenchmark(config)
    assert (len(benchmark.samples), list(benchmark.skipped)) == (2, [])


def test_the_screening_of_the_page_is_that_of_a_memory() -> None:
    config: Any = TypeAdapter(MemorySystemConfig).validate_python(yaml.safe_load(_block("yaml")))
    assert config.screening.trusted_sources == ("handbook",)


def test_every_defect_metric_and_class_is_explained() -> None:
    rules = {value for name, value in vars(defects).items() if name.isupper()}
    assert {name for name in {*rules, *METRICS, *CLASS_NAMES} if f"`{name}`" not in _PAGE} == set()
