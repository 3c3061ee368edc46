"""Which modes a knowledge base can be asked in, and what is missing for the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from heta_framework.kb.search.assets import SearchAssetCollection
from heta_framework.kb.search.protocol import QueryEngineProtocol

if TYPE_CHECKING:
    from heta_framework.kb.recipe import KnowledgeRecipe

FindEngine = Callable[[str], QueryEngineProtocol | None]


def why_unavailable(
    engine: QueryEngineProtocol,
    recipe: KnowledgeRecipe | None,
    assets: SearchAssetCollection,
    find: FindEngine,
    asked_by: tuple[str, ...] = (),
) -> str | None:
    """What stands against a query, in words; None where nothing does.

    Args:
        recipe: None judges by the assets alone.
        find: gives the engine of a mode.
        asked_by: the modes that are being judged already; an engine cannot rest on itself.
    """
    return (
        _missing_assets(engine, assets)
        or _missing_base_modes(engine, recipe, assets, find, (*asked_by, engine.mode))
        or (_unmet_by_recipe(engine, recipe, assets) if recipe is not None else None)
    )


def available_among(
    modes: tuple[str, ...],
    recipe: KnowledgeRecipe | None,
    assets: SearchAssetCollection,
    find: FindEngine,
    asked_by: tuple[str, ...] = (),
) -> tuple[str, ...]:
    """Those of the modes that can be asked, in their order."""
    engines = {mode: find(mode) for mode in modes if mode not in asked_by}
    return tuple(
        mode
        for mode, engine in engines.items()
        if engine is not None and why_unavailable(engine, recipe, assets, find, asked_by) is None
    )


def _missing_assets(engine: QueryEngineProtocol, assets: SearchAssetCollection) -> str | None:
    missing = assets.missing(engine.required_assets)
    return _requires(engine, "search asset(s)", sorted(ref.key for ref in missing)) if missing else None


def _missing_base_modes(
    engine: QueryEngineProtocol,
    recipe: KnowledgeRecipe | None,
    assets: SearchAssetCollection,
    find: FindEngine,
    asked_by: tuple[str, ...],
) -> str | None:
    modes = tuple(getattr(engine, "base_modes", ()))
    fewest = int(getattr(engine, "fewest_base_modes", len(modes)))
    available = available_among(modes, recipe, assets, find, asked_by)
    if len(available) >= fewest:
        return None
    have = ", ".join(available) or "none"
    return f"{engine.mode} requires at least {fewest} of the modes {', '.join(modes)}; available: {have}"


def _unmet_by_recipe(engine: QueryEngineProtocol, recipe: KnowledgeRecipe, assets: SearchAssetCollection) -> str | None:
    missing = [ref.key for ref in getattr(engine, "required_components", ()) if not recipe.has_component(ref)]
    if missing:
        return _requires(engine, "component(s)", sorted(missing))
    is_available_for = getattr(engine, "is_available_for", None)
    is_available = getattr(engine, "is_available", None)
    if (is_available_for and not is_available_for(recipe)) or (is_available and not is_available(recipe, assets)):
        return f"{engine.mode} is not available with this recipe"
    return None


def _requires(engine: QueryEngineProtocol, what: str, keys: list[str]) -> str:
    return f"{engine.mode} requires missing {what}: {', '.join(keys)}"
