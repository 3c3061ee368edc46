"""The judges guide: its YAML is valid, its Python runs, it names every policy, and the example files can be used."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import TypeAdapter

from heams.calibration.subject import read_subject
from heams.evaluation import LLMJudgeEvaluatorConfig
from heams.evaluation.factory import EvaluatorConfig
from heta_framework.common.judge import FAMILIES, policy_names
from heta_framework.common.judge.policy import POLICY_ADAPTER

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/guides/judges.md").read_text(encoding="utf-8")
EXAMPLES = sorted((ROOT / "configs/judges").glob("*.yaml"))


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def test_the_yaml_is_valid() -> None:
    evaluators, policy = (yaml.safe_load(block) for block in blocks("yaml"))
    adapter: TypeAdapter[Any] = TypeAdapter(EvaluatorConfig)
    assert [adapter.validate_python(entry).type for entry in evaluators["evaluators"]] == ["locomo_qa", "llm_judge"]
    assert POLICY_ADAPTER.validate_python(policy["policy"]).name == "tone"


def test_the_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    scope: dict[str, Any] = {}
    (block,) = blocks("python")
    exec(compile(block, "judges.md", "exec"), scope)  # noqa: S102 - the page is ours
    asyncio.run(scope["judged"]())
    assert capsys.readouterr().out == "incorrect 1.0 It names another city.\n"


def test_every_policy_and_field_is_documented() -> None:
    members = {member for family in FAMILIES.values() for member in family.members}
    named = set(re.findall(r"`([a-z_]+)`", GUIDE))
    assert {*FAMILIES, *policy_names()} - members - {"pairwise"} <= named
    assert set(LLMJudgeEvaluatorConfig.model_fields) - {"type"} <= named


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_can_be_calibrated(path: Path) -> None:
    assert read_subject(path).config.judges


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 3
