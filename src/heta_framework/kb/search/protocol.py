"""What a query engine is: the protocol that every mode follows, built in or the caller's own."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from heta_framework.kb.search.assets import SearchAssetCollection, SearchAssetRef
from heta_framework.kb.search.types import QueryRequest, QueryResponse

if TYPE_CHECKING:
    from heta_framework.kb.components import ComponentRef
    from heta_framework.kb.recipe import KnowledgeRecipe
    from heta_framework.kb.search.context import QueryContext


@runtime_checkable
class QueryEngineProtocol(Protocol):
    """Answers questions in one mode. It keeps no state of a query: one engine serves many queries at once.

    An engine may offer more, see the protocols below; the registry looks for their members one by one.
    """

    @property
    def mode(self) -> str:
        """The name by which it is asked for."""
        ...

    @property
    def required_assets(self) -> Collection[SearchAssetRef]:
        """What must have been built."""
        ...

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        """Answer one question; whoever calls has made sure that the mode is available."""
        ...


class NeedsComponents(Protocol):
    """An engine that needs models or stores of the recipe."""

    @property
    def required_components(self) -> Collection[ComponentRef]:
        """What the recipe must hold."""
        ...


class BuildsOnModes(Protocol):
    """An engine that asks other engines."""

    @property
    def base_modes(self) -> Collection[str]:
        """The modes it can ask."""
        ...

    @property
    def fewest_base_modes(self) -> int:
        """How many of them must be available."""
        ...


class DecidesAvailability(Protocol):
    """An engine that has conditions of its own; ``is_available_for(recipe)`` is heard as well."""

    def is_available(self, recipe: KnowledgeRecipe, assets: SearchAssetCollection) -> bool:
        """Whether a knowledge base with these assets can be asked."""
        ...


class HidesItself(Protocol):
    """An engine with ``discoverable`` False answers who names it and is not listed among the available modes."""

    @property
    def discoverable(self) -> bool:
        """Whether it is listed."""
        ...
