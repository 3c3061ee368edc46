"""Fingerprints of steps: equal ones say that a step of an earlier run made what it would make now.

A step's fingerprint covers its name, type and settings, the names of the models that it may use, the artifacts that the
build was given, and the fingerprint of the step before. So a change anywhere reaches every step behind it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any

from heta_framework.kb.components import ComponentRef, model_ref
from heta_framework.kb.lifecycle.json_values import with_notes

if TYPE_CHECKING:
    from heta_framework.kb.recipe import KnowledgeRecipe
    from heta_framework.kb.run_record import RecipeRunRecord
    from heta_framework.kb.steps.protocol import KnowledgeStepProtocol

# A step may use these without requiring them; a reranker only answers queries and changes nothing that is built.
_USED_UNASKED = (model_ref("language"), model_ref("embedding"))
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def step_identities(recipe: KnowledgeRecipe, initial_artifacts: Mapping[str, Any]) -> tuple[str, ...]:
    """The fingerprints of the expanded steps, in their order."""
    identities: list[str] = []
    before = inputs_identity(initial_artifacts)
    for step in recipe.expanded_steps():
        before = _digest(before, step.name, _type_name(step), _settings(step), *_model_names(recipe, step))
        identities.append(before)
    return tuple(identities)


def same_steps(recipe: KnowledgeRecipe, record: RecipeRunRecord) -> bool:
    """Whether the record is of a run of steps of these names and types, in this order."""
    ran = [(step.step_name, step.step_type) for step in record.step_records]
    return ran == [(step.name, type(step).__name__) for step in recipe.expanded_steps()]


def recorded_identities(recipe: KnowledgeRecipe, record: RecipeRunRecord) -> tuple[str, ...]:
    """The fingerprints that a record holds, as far as its steps are the recipe's; then no others match."""
    recorded = {(step.index, step.step_name, step.step_type): step.identity for step in record.step_records}
    steps = enumerate(recipe.expanded_steps())
    return tuple(recorded.get((index, step.name, type(step).__name__)) or "" for index, step in steps)


def inputs_identity(initial_artifacts: Mapping[str, Any]) -> str:
    """A fingerprint of what a build is given; of a value that JSON cannot hold, its type counts."""
    return _digest(json.dumps(with_notes(initial_artifacts), sort_keys=True))


def _type_name(step: KnowledgeStepProtocol) -> str:
    return f"{type(step).__module__}.{type(step).__qualname__}"


def _settings(step: KnowledgeStepProtocol) -> str:
    """The config's text; of a step without one, its own where it is a dataclass. Memory addresses do not count."""
    config = getattr(step, "config", getattr(step, "_config", None))
    text = repr(config if config is not None else step if is_dataclass(step) else "")
    return _ADDRESS.sub("", text)


def _model_names(recipe: KnowledgeRecipe, step: KnowledgeStepProtocol) -> tuple[str, ...]:
    required = (ref for ref in step.requirements.components if ref.namespace == "models")
    refs = sorted({*_USED_UNASKED, *required}, key=lambda ref: ref.key)
    return tuple(f"{ref.key}={_model_name(recipe, ref)}" for ref in refs)


def _model_name(recipe: KnowledgeRecipe, ref: ComponentRef) -> str:
    if not recipe.has_component(ref):
        return ""
    model = recipe.get_component(ref)
    return str(getattr(model, "model_name", type(model).__name__))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
