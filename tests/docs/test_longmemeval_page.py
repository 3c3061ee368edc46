"""The page on LongMemEval: its configuration chooses as it says, and every field and rule is named."""

import re
from pathlib import Path

import yaml

from heams.benchmarks import LongMemEvalBenchmark, LongMemEvalBenchmarkConfig
from heams.benchmarks.longmemeval import defects
from heams.benchmarks.longmemeval.question_types import QUESTION_TYPES
from heta_framework.common.datasets import registry

_ROOT = Path(__file__).parents[2]
_PAGE = (_ROOT / "docs/benchmarks/longmemeval.md").read_text(encoding="utf-8")


def test_the_configuration_chooses_as_it_says() -> None:
    (block,) = re.findall(r"^```yaml\n(.*?)^```$", _PAGE, flags=re.MULTILINE | re.DOTALL)
    given = yaml.safe_load(block)
    config = LongMemEvalBenchmarkConfig.model_validate({**given, "data_file": _ROOT / given["data_file"]})
    samples = LongMemEvalBenchmark(config).samples
    assert {sample.tags["question_type"] for sample in samples} == {"knowledge-update", "multi-session"}


def test_every_field_type_rule_and_dataset_is_documented() -> None:
    rules = [value for name, value in vars(defects).items() if name.isupper() and isinstance(value, str)]
    fields = set(LongMemEvalBenchmarkConfig.model_fields) - {"type"}
    datasets = {name for name in registry() if name.startswith("longmemeval")}
    assert [name for name in (*rules, *fields, *QUESTION_TYPES, *datasets) if f"`{name}`" not in _PAGE] == []
