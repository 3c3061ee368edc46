"""Vectors of two models must not be compared: the recipe's embedding model has to be the one that built the vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from heta_framework.kb.components import ComponentRef, model_ref
from heta_framework.kb.errors import RecipeMismatchError

if TYPE_CHECKING:
    from heta_framework.kb.recipe import KnowledgeRecipe

_SPACE_SUFFIX = "embedding_space"
_KEYS_SUFFIX = "chunk_embedding_keys"


def require_same_embedding(recipe: KnowledgeRecipe, artifacts: Mapping[str, Any], name: str) -> None:
    """Compare the recipe's embedding models with those that the artifacts ``...embedding_space`` name.

    A recipe without an embedding model passes: it cannot embed a question.

    Raises:
        RecipeMismatchError: they differ; the message names both.
    """
    for key, space in artifacts.items():
        if key.endswith(_SPACE_SUFFIX) and isinstance(space, Mapping):
            ref = _embedding_ref(recipe, key.removesuffix(_SPACE_SUFFIX))
            _compare(recipe, ref, str(space.get("model_name")), name)


def _compare(recipe: KnowledgeRecipe, ref: ComponentRef, built_by: str, name: str) -> None:
    found = getattr(recipe.get_component(ref), "model_name", built_by) if recipe.has_component(ref) else built_by
    if found != built_by:
        raise RecipeMismatchError(
            f"the vectors of knowledge base {name!r} were made by {built_by!r}, but the recipe's {ref.key} is "
            f"{found!r}; give it the recipe that built it, or build another knowledge base with this one"
        )


def _embedding_ref(recipe: KnowledgeRecipe, preset: str) -> ComponentRef:
    """The model of the step that makes these vectors."""
    for step in recipe.expanded_steps():
        if f"{preset}{_KEYS_SUFFIX}" in step.capabilities.artifacts:
            for ref in step.requirements.components:
                if ref.namespace == "models" and ref.kind == "embedding":
                    return ref
    return model_ref("embedding")
