"""The public interface of an installed ``heta_framework.evaluation`` as plain data: names, parameters, defaults.

It runs on the published package and on ours. ``python interface_facts.py`` prints the facts as JSON; those of
heta-framework 0.1.2 are kept in ``interface_0_1_2.json``. A parameter is written ``name`` or ``name = default``; those
after ``*`` are given by name. A default that is an evaluator is the evaluator's name.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

PACKAGE = "heta_framework.evaluation"
SUB_PACKAGES = ("benchmarks", "evaluators", "protocols", "runner", "types")
RECORDED = Path(__file__).with_name("interface_0_1_2.json")


def facts() -> dict[str, Any]:
    """Every public name of the package and of its sub-packages."""
    package = importlib.import_module(PACKAGE)
    return {name: describe(getattr(package, name)) for name in sorted(package.__all__)} | {
        sub_package: {"names": sorted(importlib.import_module(f"{PACKAGE}.{sub_package}").__all__)}
        for sub_package in SUB_PACKAGES
    }


def describe(value: Any) -> dict[str, Any]:
    """One public name: a class, a function, a choice of literals or a constant."""
    if inspect.isclass(value):
        return _class(value)
    if inspect.isfunction(value):
        return {"parameters": _parameters(value)}
    if get_args(value):
        return {"choice": list(get_args(value))}
    return {"constant": _plain(value)}


def _class(kind: type) -> dict[str, Any]:
    public = {name: inspect.getattr_static(kind, name) for name in sorted(dir(kind)) if not name.startswith("_")}
    found: dict[str, Any] = {
        "properties": [name for name, value in public.items() if isinstance(value, property | cached_property)],
        "methods": {name: _parameters(value)[1:] for name, value in public.items() if inspect.isfunction(value)},
    }
    if dataclasses.is_dataclass(kind):
        found["frozen"] = kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
        found["parameters"] = [_field(field) for field in dataclasses.fields(kind) if field.init]
    return found


def _field(field: dataclasses.Field[Any]) -> str:
    if field.default_factory is not dataclasses.MISSING:
        return _written(field.name, field.default_factory())
    return field.name if field.default is dataclasses.MISSING else _written(field.name, field.default)


def _parameters(function: Callable[..., Any]) -> list[str]:
    found: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in found:
            found.append("*")
        bare = parameter.default is parameter.empty
        found.append(parameter.name if bare else _written(parameter.name, parameter.default))
    return found


def _written(name: str, default: Any) -> str:
    return f"{name} = {json.dumps(_plain(default))}"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if hasattr(value, "evaluate"):
        return value.name
    return f"{type(value).__name__}()" if dataclasses.is_dataclass(value) else value


if __name__ == "__main__":
    lines = (f"{json.dumps(name)}: {json.dumps(fact, sort_keys=True)}" for name, fact in facts().items())
    print("{\n" + ",\n".join(lines) + "\n}")
