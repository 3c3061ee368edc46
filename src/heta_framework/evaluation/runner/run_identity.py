"""What a run is: everything that decides on its results, written down before its first case."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from heta_framework.common.models.redaction import redact
from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol
from heta_framework.evaluation.types.json_safe import json_safe
from heta_framework.kb import KnowledgeRecipe
from heta_framework.kb.lifecycle.step_identity import inputs_identity, step_identities

if TYPE_CHECKING:
    from heta_framework.kb import QueryEngineRegistry

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def recipe_identity(recipe: KnowledgeRecipe, initial_artifacts: Mapping[str, Any]) -> dict[str, Any]:
    """The recipe as far as it decides on results.

    ``steps`` are fingerprints, each of a step, its settings, the models it may use and all steps before it;
    ``components`` are models by name, stores and parsers by kind.
    """
    identities = step_identities(recipe, {})
    names = [f"{index} {step.name}" for index, step in enumerate(recipe.expanded_steps())]
    components = {key: _component(recipe.component_at(key)) for key in recipe.component_keys()}
    return {
        "steps": dict(zip(names, identities, strict=True)),
        "components": components,
        "initial_artifacts": inputs_identity(json_safe(initial_artifacts)),
    }


def evaluators_identity(evaluators: Sequence[BenchmarkEvaluatorProtocol]) -> list[dict[str, str]]:
    """The evaluators by name and settings, as their text tells them."""
    return [{"name": one.name, "repr": redact(_ADDRESS.sub("", repr(one)))} for one in evaluators]


def engines_identity(engines: QueryEngineRegistry | None, modes: Sequence[str]) -> dict[str, str]:
    """The classes of the engines that the caller brings for these modes."""
    if engines is None:
        return {}
    found = {mode: engines.find(mode) for mode in modes}
    return {mode: _class_name(engine) for mode, engine in found.items() if engine is not None}


def differences(before: Mapping[str, Any], now: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Where two descriptions differ, each as ``path: ... before, ... now``."""
    for key in dict.fromkeys((*before, *now)):
        old, new = before.get(key), now.get(key)
        place = f"{path}.{key}" if path else key
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            found = differences(old, new, place)
            if place == "recipe.steps":  # every step behind a changed one differs too: only the first tells something
                found = iter(list(found)[:1])
            yield from found
        elif old != new:
            yield f"{place}: {_shown(old)} before, {_shown(new)} now"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}..."


def _component(component: object) -> str:
    return str(getattr(component, "model_name", None) or _class_name(component))


def _class_name(one: object) -> str:
    return f"{type(one).__module__}.{type(one).__qualname__}"
