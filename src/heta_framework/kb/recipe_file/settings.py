"""A recipe file as typed values: what `heta_framework.kb.KnowledgeRecipe` is made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from heta_framework.kb.recipe_file.model_settings import ModelsSettings
from heta_framework.kb.recipe_file.parsers import ParserName
from heta_framework.kb.recipe_file.steps import StepEntry
from heta_framework.kb.recipe_file.store_settings import StoresSettings

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class RecipeSettings(BaseModel):
    """A recipe as it is written.

    ``parsers`` are the kinds of documents that are read, all of them unless they are listed. ``metadata`` are short
    texts of one's own, kept in the manifest of every knowledge base.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Text
    description: str | None = None
    models: ModelsSettings = ModelsSettings()
    stores: StoresSettings
    parsers: tuple[ParserName, ...] | None = Field(default=None, min_length=1)
    steps: tuple[StepEntry, ...] = Field(min_length=1)
    metadata: Mapping[str, str] = Field(default_factory=dict)
