"""The page about MemoryAgentBench: its YAML is valid, and it explains every defect, metric, family and field."""

import re
from pathlib import Path

import yaml

from heams.benchmarks import MemoryAgentBenchBenchmarkConfig
from heams.benchmarks.memoryagentbench.defects import DEFECTS
from heams.evaluation import MemoryAgentBenchEvaluatorConfig
from heams.evaluation.memoryagentbench_sources import RULES

_PAGE = (Path(__file__).parents[2] / "docs" / "benchmarks" / "memoryagentbench.md").read_text("utf-8")


def test_the_judges_of_the_page_are_valid() -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", _PAGE, re.DOTALL)
    further = yaml.safe_load(block)
    config = MemoryAgentBenchBenchmarkConfig.model_validate(
        {
            "data_dir": "x",
            "prompts": {"default": "{question}"},
            "evaluators": [{"type": "memoryagentbench"}],
            **further,
        }
    )
    assert set(config.evaluators_of) == {"infbench_sum", "longmemeval"}


def test_every_defect_metric_family_and_field_is_explained() -> None:
    metrics = {metric for metric in MemoryAgentBenchEvaluatorConfig().metrics if "@" not in metric}
    fields = set(MemoryAgentBenchBenchmarkConfig.model_fields) - {"type"}
    names = {*DEFECTS, *metrics, *fields, *RULES} - {"other"}
    assert {name for name in names if f"`{name}`" not in _PAGE} == set()
