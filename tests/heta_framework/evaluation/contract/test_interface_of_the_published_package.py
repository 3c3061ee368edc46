"""Every public name of heta-framework 0.1.2's evaluation is importable here and is called in the same way.

Parameters have the same names, order and defaults; what ours has besides comes last and has a default.
"""

from __future__ import annotations

import importlib
import json
from functools import cache
from typing import Any

import interface_facts
import pytest

PUBLISHED: dict[str, dict[str, Any]] = json.loads(interface_facts.RECORDED.read_text(encoding="utf-8"))
NAMES = sorted(PUBLISHED.keys() - set(interface_facts.SUB_PACKAGES))

SCORED_BY_MORE = ("MultiHopRagBenchmark", "UdaBenchmark")
"""Benchmarks that are scored by their own official measures besides, unless told otherwise."""


@cache
def _ours(name: str) -> dict[str, Any]:
    package = importlib.import_module(interface_facts.PACKAGE)
    assert name in package.__all__
    found: dict[str, Any] = interface_facts.describe(getattr(package, name))
    return found


@pytest.mark.parametrize("name", [name for name in NAMES if {"choice", "constant"} & PUBLISHED[name].keys()])
def test_a_constant_is_the_same(name: str) -> None:
    assert _ours(name) == PUBLISHED[name]


@pytest.mark.parametrize("name", [name for name in NAMES if "parameters" in PUBLISHED[name]])
def test_it_is_called_with_the_same_parameters(name: str) -> None:
    ours, published = _ours(name)["parameters"], PUBLISHED[name]["parameters"]
    if name in SCORED_BY_MORE:
        ours, published = ([one for one in side if "evaluator_list" not in one] for side in (ours, published))
    _assert_extends(ours, published)


@pytest.mark.parametrize("name", SCORED_BY_MORE)
def test_more_evaluators_come_after_the_published_ones(name: str) -> None:
    import heta_framework.evaluation as package

    given = ["paper_text"] if name == "UdaBenchmark" else []
    written = next(one for one in PUBLISHED[name]["parameters"] if one.startswith("evaluator_list"))
    published = json.loads(written.partition(" = ")[2])
    names = [one.name for one in getattr(package, name)(*given).evaluators()]
    assert names[: len(published)] == published
    assert len(names) > len(published)


@pytest.mark.parametrize("name", [name for name in NAMES if "methods" in PUBLISHED[name]])
def test_a_class_has_the_same_members(name: str) -> None:
    ours, published = _ours(name), PUBLISHED[name]
    assert set(published["properties"]) <= set(ours["properties"])
    for method, parameters in published["methods"].items():
        _assert_extends(ours["methods"][method], parameters)


@pytest.mark.parametrize("name", [name for name in NAMES if "frozen" in PUBLISHED[name]])
def test_a_value_is_a_frozen_dataclass(name: str) -> None:
    assert _ours(name)["frozen"] is True


@pytest.mark.parametrize("sub_package", interface_facts.SUB_PACKAGES)
def test_a_sub_package_repeats_the_same_objects(sub_package: str) -> None:
    package = importlib.import_module(interface_facts.PACKAGE)
    inner = importlib.import_module(f"{interface_facts.PACKAGE}.{sub_package}")
    names = PUBLISHED[sub_package]["names"]
    assert set(names) <= set(inner.__all__)
    assert [name for name in names if getattr(inner, name) is not getattr(package, name)] == []


def _assert_extends(ours: list[str], published: list[str]) -> None:
    count = len(published)
    assert ours[:count] == published
    assert [extra for extra in ours[count:] if " = " not in extra and extra != "*"] == []
