"""What the configurations of library memories have in common."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from heta_framework.common.models.settings import EmbeddingModelConfig, LanguageModelConfig, split_model

_EVERYBODY = "everybody"


class LibrarySettings(BaseModel):
    """The models that a library calls, and how it is fed.

    ``llm`` and ``embedding`` are OpenAI-compatible endpoints, or ``wordllama`` for embeddings without an endpoint.
    ``batch_events`` is the most events that are written at once, ``search_limit`` the items of a recall that names no
    limit. ``owners``: with ``shared``, everybody is answered from everything, as by heams's own memories; with
    ``principal``, the library keeps what each principal said apart and answers one who asks from his own alone.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    llm: LanguageModelConfig
    embedding: EmbeddingModelConfig | Literal["wordllama"] = "wordllama"
    batch_events: int = Field(default=1, ge=1)
    search_limit: int = Field(default=20, ge=1)
    owners: Literal["shared", "principal"] = "shared"

    @property
    def llm_name(self) -> str:
        """The language model's bare name, by which libraries guess what a model can."""
        return split_model(self.llm.model)[1]

    def owner_of(self, principal: str) -> str:
        """Under whose name a library keeps what ``principal`` said."""
        return principal if self.owners == "principal" else _EVERYBODY
