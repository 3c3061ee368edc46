"""The query engines of a knowledge base, by mode."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from heta_framework.common.config import nearest
from heta_framework.kb.search.assets import SearchAssetCollection
from heta_framework.kb.search.availability import available_among, why_unavailable
from heta_framework.kb.search.protocol import QueryEngineProtocol

if TYPE_CHECKING:
    from heta_framework.kb.recipe import KnowledgeRecipe


class QueryEngineRegistry:
    """Engines by mode; `defaults` holds all that come with the package."""

    def __init__(self, engines: Iterable[QueryEngineProtocol] = ()) -> None:
        """Register the engines; raises as `register` does."""
        self._engines: dict[str, QueryEngineProtocol] = {}
        for engine in engines:
            self.register(engine)

    @classmethod
    def defaults(cls) -> QueryEngineRegistry:
        """A new registry of the built-in engines."""
        from heta_framework.kb.search.engines import default_engines

        return cls(default_engines())

    @property
    def modes(self) -> frozenset[str]:
        """The modes that are registered."""
        return frozenset(self._engines)

    def register(self, engine: QueryEngineProtocol, *, replace: bool = False) -> QueryEngineRegistry:
        """Add an engine; returns the registry.

        Args:
            replace: whether it may take the place of the engine that has its mode.

        Raises:
            TypeError: it is no engine.
            ValueError: its mode is blank, or taken.
        """
        if not isinstance(engine, QueryEngineProtocol):
            raise TypeError(
                "engine must satisfy QueryEngineProtocol: mode, required_assets, async query(request, context); "
                f"found {type(engine).__name__}"
            )
        mode = engine.mode
        if not isinstance(mode, str):
            raise TypeError(f"engine.mode must be a string, found {type(mode).__name__}")
        if not mode.strip():
            raise ValueError("engine.mode must not be empty")
        if mode in self._engines and not replace:
            raise ValueError(f"query engine already registered for mode: {mode}")
        self._engines[mode] = engine
        return self

    def find(self, mode: str) -> QueryEngineProtocol | None:
        """The engine of a mode, or None."""
        return self._engines.get(mode.strip())

    def get(self, mode: str) -> QueryEngineProtocol:
        """The engine of a mode.

        Raises:
            ValueError: the mode is blank.
            LookupError: there is none; the message names the nearest mode.
        """
        if not mode.strip():
            raise ValueError("mode must not be empty")
        found = self.find(mode)
        if found is None:
            near = nearest(mode, self._engines)
            hint = f" (did you mean {near}?)" if near else ""
            raise LookupError(f"query engine is not registered: {mode.strip()}{hint}")
        return found

    def available_modes(self, assets: SearchAssetCollection) -> frozenset[str]:
        """The modes whose assets are there, whatever components they need."""
        return self._listed(None, assets)

    def available_modes_for(self, recipe: KnowledgeRecipe, assets: SearchAssetCollection) -> frozenset[str]:
        """The modes that a knowledge base of this recipe with these assets can be asked in."""
        return self._listed(recipe, assets)

    def available_among(
        self, modes: Iterable[str], recipe: KnowledgeRecipe | None, assets: SearchAssetCollection
    ) -> tuple[str, ...]:
        """Those of ``modes`` that can be asked, in their order, listed or not."""
        return available_among(tuple(modes), recipe, assets, self.find)

    def require(self, mode: str, recipe: KnowledgeRecipe, assets: SearchAssetCollection) -> QueryEngineProtocol:
        """The engine of a mode that can be asked.

        Raises:
            LookupError: there is none, or something that it needs is missing; the message names it.
        """
        engine = self.get(mode)
        problem = why_unavailable(engine, recipe, assets, self.find)
        if problem:
            raise LookupError(problem)
        return engine

    def _listed(self, recipe: KnowledgeRecipe | None, assets: SearchAssetCollection) -> frozenset[str]:
        shown = (mode for mode, engine in self._engines.items() if getattr(engine, "discoverable", True))
        return frozenset(self.available_among(shown, recipe, assets))
