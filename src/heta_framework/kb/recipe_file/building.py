"""The steps of a recipe file, made: cheap objects that hold their settings and open nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heta_framework.kb.recipe_file.step_settings import settings_adapter
from heta_framework.kb.recipe_file.steps import NamedStep

if TYPE_CHECKING:
    from heta_framework.kb.recipe import KnowledgeRecipe, RecipeItem
    from heta_framework.kb.recipe_file.settings import RecipeSettings


def made_step(step: NamedStep) -> RecipeItem:
    """The step or procedure.

    Raises:
        ValidationError: its settings are not allowed.
    """
    read = settings_adapter(step.type).validate_python(step.settings)
    item: RecipeItem = step.type.make(read)
    return item


def outline(settings: RecipeSettings) -> KnowledgeRecipe:
    """The recipe with its steps, and with settings in the places of components: enough to be validated."""
    from heta_framework.kb.components import KnowledgeModels, KnowledgeParsers, KnowledgeStores
    from heta_framework.kb.recipe import KnowledgeRecipe

    models = settings.models
    slots: dict[str, Any] = dict(settings.stores.by_slot())
    return KnowledgeRecipe(
        models=KnowledgeModels(models.language, models.embedding, models.reranker),
        stores=KnowledgeStores(**slots),
        parsers=KnowledgeParsers(documents=settings.parsers or "all"),
        steps=tuple(map(made_step, settings.steps)),
        metadata=settings.metadata,
    )
