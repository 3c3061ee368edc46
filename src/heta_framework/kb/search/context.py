"""What an engine can reach while it answers: the recipe, what was built, and the other engines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from heta_framework.kb.components import MissingComponentError, store_ref
from heta_framework.kb.namespace import physical_name
from heta_framework.kb.search.assets import SearchAsset, SearchAssetCollection
from heta_framework.kb.search.registry import QueryEngineRegistry
from heta_framework.kb.search.types import QueryRequest, QueryResponse

if TYPE_CHECKING:
    from heta_framework.kb.components import ComponentRef
    from heta_framework.kb.recipe import KnowledgeRecipe
    from heta_framework.kb.run_record import RecipeRunRecord

NAMESPACE_ARTIFACT = "kb_namespace"


@dataclass(frozen=True)
class QueryContext:
    """The surroundings of a query.

    Attributes:
        recipe: holds the models and stores.
        run_record: of the build; ``artifacts["kb_namespace"]`` says how the stores' things are called.
        assets: what was built.
        engines: by mode.
        call_stack: the modes that are answering, outermost first.
    """

    recipe: KnowledgeRecipe
    run_record: RecipeRunRecord
    assets: SearchAssetCollection
    engines: QueryEngineRegistry
    call_stack: tuple[str, ...] = ()

    async def query(self, mode: str, request: QueryRequest) -> QueryResponse:
        """Ask the engine of a mode.

        Raises:
            LookupError: no such mode, or an asset or component that it needs is missing.
            RuntimeError: that engine is answering already and would ask itself without end.
        """
        engine = self.engines.require(mode, self.recipe, self.assets)
        if engine.mode in self.call_stack:
            chain = " -> ".join((*self.call_stack, engine.mode))
            raise RuntimeError(f"recursive query engine call detected: {chain}")
        inner = replace(self, call_stack=(*self.call_stack, engine.mode))
        return await engine.query(replace(request, mode=engine.mode), inner)

    def available(self, modes: Iterable[str]) -> tuple[str, ...]:
        """Those of the modes that can be asked, in their order."""
        return self.engines.available_among(modes, self.recipe, self.assets)

    def component(self, ref: ComponentRef) -> Any:
        """A component of the recipe; MissingComponentError (a LookupError) where it has none."""
        return self.recipe.get_component(ref)

    def store(self, kind: str, asset: SearchAsset) -> Any:
        """The store of that kind that holds an asset, which names it by key, by name, or not at all (the recipe's)."""
        named = asset.store
        return self.recipe.component_at(named) if named and "." in named else self.component(store_ref(kind, named))

    def find_store(self, kind: str, asset: SearchAsset) -> Any | None:
        """The same, or None."""
        try:
            return self.store(kind, asset)
        except MissingComponentError:
            return None

    def find_component(self, ref: ComponentRef) -> Any | None:
        """A component of the recipe, or None."""
        return self.recipe.get_component(ref) if self.recipe.has_component(ref) else None

    def physical(self, logical: str) -> str:
        """What the store calls this knowledge base's collection, index or table of a logical name."""
        namespace = self.run_record.artifacts.get(NAMESPACE_ARTIFACT)
        return physical_name(logical, namespace) if namespace else logical
