"""Whether the parts of a recipe file fit together, and which query modes it serves; nothing is opened for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from heta_framework.common.config import ConfigProblem, YamlDocument
from heta_framework.kb.recipe_file.building import outline
from heta_framework.kb.recipe_file.store_settings import GraphInSql

if TYPE_CHECKING:
    from heta_framework.kb.recipe import KnowledgeRecipe
    from heta_framework.kb.recipe_file.settings import RecipeSettings
    from heta_framework.kb.search.assets import SearchAssetCollection
    from heta_framework.kb.validation import RecipeValidationIssue


def fit_problems(document: YamlDocument, settings: RecipeSettings) -> Iterator[ConfigProblem]:
    """What a step misses, at the line of its entry, and parts that lean on one that is not there."""
    if settings.models.reranker == "embedding" and settings.models.embedding is None:
        message = "'embedding' orders by the embedding model, and the recipe has none"
        yield document.problem(("models", "reranker"), message, "name one under 'models: embedding'")
    if isinstance(settings.stores.graph, GraphInSql) and settings.stores.sql is None:
        message = "'sql' keeps the graph in the SQL store, and the recipe has none"
        yield document.problem(("stores", "graph"), message, "name one under 'stores: sql'")
    recipe = outline(settings)
    entries = _entries(recipe)
    for issue in recipe.validate().errors:
        entry = None if issue.step_index is None else entries[issue.step_index]
        yield document.problem(() if entry is None else ("steps", entry), issue.message, _remedy(issue))


def served_modes(settings: RecipeSettings) -> tuple[str, ...]:
    """The query modes that a knowledge base of this recipe can be asked in, sorted."""
    from heta_framework.kb.search.registry import QueryEngineRegistry

    recipe = outline(settings)
    return tuple(sorted(QueryEngineRegistry.defaults().available_modes_for(recipe, _assets(recipe))))


def mode_problem(settings: RecipeSettings, mode: str) -> str | None:
    """Why a knowledge base of this recipe cannot be asked in ``mode``, and in which it can; None where it can."""
    from heta_framework.kb.search.registry import QueryEngineRegistry

    recipe = outline(settings)
    try:
        QueryEngineRegistry.defaults().require(mode, recipe, _assets(recipe))
    except (LookupError, ValueError) as refusal:
        served = ", ".join(served_modes(settings)) or "none"
        return f"{refusal.args[0]}; recipe {settings.name!r} serves: {served}"
    return None


def _entries(recipe: KnowledgeRecipe) -> list[int]:
    """For each expanded step the position of its entry: a procedure stands for several steps."""
    from heta_framework.kb.recipe import KnowledgeRecipe

    return [
        position for position, item in enumerate(recipe.steps) for _ in KnowledgeRecipe(steps=(item,)).expanded_steps()
    ]


def _assets(recipe: KnowledgeRecipe) -> SearchAssetCollection:
    from heta_framework.kb.search.assets import SearchAssetCollection

    return SearchAssetCollection(asset for step in recipe.expanded_steps() for asset in step.capabilities.search_assets)


def _remedy(issue: RecipeValidationIssue) -> str | None:
    if issue.code != "missing_component":
        return None
    namespace, _, kind = issue.details["component"].partition(".")
    return f"name one under '{namespace}: {kind}'"
