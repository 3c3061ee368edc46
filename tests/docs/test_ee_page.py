"""The page of the ee benchmark: its example runs, its configuration is the shipped one, its stream is one."""

import json
import re
from pathlib import Path

import yaml

from heams.benchmarks import EEBenchmarkConfig
from heams.benchmarks.ee.records import StreamRecord

_ROOT = Path(__file__).parents[2]
_PAGE = (_ROOT / "docs" / "benchmarks" / "ee.md").read_text(encoding="utf-8")


def _block(language: str) -> str:
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", _PAGE, re.MULTILINE | re.DOTALL)
    return str(block)


def test_the_example_runs() -> None:
    exec(compile(_block("python"), "ee.md", "exec"), {})  # noqa: S102 - the page is ours


def test_the_configuration_is_the_shipped_one() -> None:
    shown = EEBenchmarkConfig.model_validate(yaml.safe_load(_block("yaml")))
    shipped = (_ROOT / "configs" / "benchmarks" / "ee.yaml").read_text(encoding="utf-8")
    assert shown == EEBenchmarkConfig.model_validate(yaml.safe_load(shipped))


def test_the_stream_is_one() -> None:
    assert StreamRecord.model_validate(json.loads(_block("json"))).has_phases
