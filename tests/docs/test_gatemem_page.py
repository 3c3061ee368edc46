"""The page about GateMem: its Python runs, its rules of access are valid, and it names every defect."""

import re
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter

from heams.benchmarks.gatemem import defects
from heams.evaluation.gatemem_metrics import metrics_of
from heams.memory.factory import MemorySystemConfig

_SUFFIXES = ("_context", "_e2e", "_unasked", "_legacy")
_PAGE = (Path(__file__).parents[2] / "docs" / "benchmarks" / "gatemem.md").read_text(encoding="utf-8")


def _block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", _PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_python_of_the_page_runs() -> None:
    exec(compile(_block("python"), "gatemem.md", "exec"), {})  # noqa: S102 - the page is ours


def test_the_rules_of_access_are_those_of_a_memory() -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(MemorySystemConfig)
    config = adapter.validate_python(yaml.safe_load(_block("yaml")))
    assert config.access.roles["guest"] == ("owner",)


def test_every_defect_and_every_metric_is_explained() -> None:
    rules = {value for name, value in vars(defects).items() if name.isupper()}
    metrics = {metric for kind in ("utility", "privacy", "safety") for metric in metrics_of(kind)}
    plain = {metric for metric in metrics if not metric.endswith(_SUFFIXES)}
    assert {name for name in rules | plain | {"useful_context"} if f"`{name}`" not in _PAGE} == set()
    assert all(f"{suffix}`" in _PAGE for suffix in _SUFFIXES)
