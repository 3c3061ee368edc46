"""The page on STALE: its configuration chooses as it says, and its scenario is one."""

import json
import re
from pathlib import Path

import yaml

from heams.benchmarks import StaleBenchmark, StaleBenchmarkConfig
from heams.benchmarks.stale import defects

_ROOT = Path(__file__).parents[2]
_PAGE = (_ROOT / "docs/benchmarks/stale.md").read_text(encoding="utf-8")


def _block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", _PAGE, flags=re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_configuration_chooses_as_it_says() -> None:
    given = yaml.safe_load(_block("yaml"))
    config = StaleBenchmarkConfig.model_validate({**given, "data_file": _ROOT / given["data_file"]})
    assert {sample.tags["type"] for sample in StaleBenchmark(config).samples} == {"T1", "control"}
    assert all(f"`{name}`" in _PAGE for name in set(StaleBenchmarkConfig.model_fields) - {"type"})


def test_the_scenario_can_be_played(tmp_path: Path) -> None:
    path = tmp_path / "scenarios.json"
    path.write_text(json.dumps([json.loads(_block("json"))]))
    given = {"data_file": path, "question_prompt": "{question}", "evaluators": [{"type": "stale"}]}
    benchmark = StaleBenchmark(StaleBenchmarkConfig.model_validate(given))
    assert [sample.tags["cell"] for sample in benchmark.samples] == ["T1 SR", "T1 PR", "T1 IPA"]
    assert benchmark.skipped == []


def test_every_rule_is_documented() -> None:
    rules = [value for name, value in vars(defects).items() if name.isupper()]
    assert [rule for rule in rules if f"`{rule}`" not in _PAGE] == []
