"""What all memories of a ``knowledge_base`` share: the recipe, its opened models, and how a state gets a place."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from heta_framework.kb.recipe_file import open_recipe
from heta_framework.kb.recipe_file.settings import RecipeSettings

if TYPE_CHECKING:
    from heta_framework.kb.components import KnowledgeModels
    from heta_framework.kb.recipe import KnowledgeRecipe

_NAME = "memory"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a state is: the name of its knowledge base, and the folder of its stores."""

    name: str
    folder: Path


@dataclass(frozen=True, slots=True)
class Workshop:
    """Opens recipes for states. ``new_folder`` names a folder that nobody has used."""

    settings: RecipeSettings
    models: KnowledgeModels
    new_folder: Callable[[], Path]

    @property
    def on_servers(self) -> bool:
        """Whether a store is on a server, which all memories share."""
        return self.settings.stores.on_servers()

    def new_place(self) -> Place:
        """A place that no other state has: a folder, and on servers a name."""
        return Place(f"{_NAME}-{secrets.token_hex(8)}" if self.on_servers else _NAME, self.new_folder())

    def recipe_at(self, place: Place) -> KnowledgeRecipe:
        """The recipe with stores of that place."""
        return open_recipe(self.settings, root=place.folder, models=self.models)
