"""The models of a recipe file: none, an offline one by name, or one behind an endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Tag

from heta_framework.common.models.settings import EmbeddingModelConfig, LanguageModelConfig, RerankModelConfig


def _none(value: Any) -> Any:
    return None if value == "none" else value


def _written_as(value: Any) -> str:
    return "endpoint" if isinstance(value, Mapping | BaseModel) else "name"


_BY_KIND = Discriminator(_written_as)
_NoneByName = BeforeValidator(_none)

EmbeddingChoice = Annotated[
    Annotated[Literal["wordllama", "minilm"], Tag("name")] | Annotated[EmbeddingModelConfig, Tag("endpoint")],
    _BY_KIND,
]
RerankerChoice = Annotated[
    Annotated[Literal["embedding"], Tag("name")] | Annotated[RerankModelConfig, Tag("endpoint")], _BY_KIND
]


class ModelsSettings(BaseModel):
    """The models of a recipe; ``none`` and a slot that is left out mean the same.

    ``embedding``: ``wordllama`` and ``minilm`` (an extra) work offline. ``reranker: embedding`` orders by the cosine of
    the embedding model.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    language: Annotated[LanguageModelConfig | None, _NoneByName] = None
    embedding: Annotated[EmbeddingChoice | None, _NoneByName] = None
    reranker: Annotated[RerankerChoice | None, _NoneByName] = None
