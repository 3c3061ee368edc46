"""The configurations of what takes the places of agent and memory system: a query mode, and a recipe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from heta_framework.common.config import WholeNumber
from heta_framework.kb.recipe_file.settings import RecipeSettings


class QueryModeConfig(BaseModel):
    """A knowledge base asked in one of its query modes. ``top_k`` is how many results a query asks for, at least."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["query_mode"] = "query_mode"
    mode: str
    top_k: WholeNumber = Field(ge=1)
    query_options: Mapping[str, JsonValue] = Field(default_factory=dict)


class RecipeConfig(RecipeSettings):
    """A recipe, from which knowledge bases are built."""

    type: Literal["recipe"] = "recipe"
