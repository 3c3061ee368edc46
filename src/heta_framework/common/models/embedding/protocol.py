"""What every embedding model offers, local or behind an endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from heta_framework.common.models.embedding.types import EmbeddingRequest, EmbeddingResult


@runtime_checkable
class EmbeddingModelProtocol(Protocol):
    """Turns texts into vectors of one dimension."""

    @property
    def model_name(self) -> str:
        """Which model and which size; vectors of different names must not be compared."""
        ...

    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        """Embed the texts of one request."""
        ...

    async def embed_many(self, requests: Sequence[EmbeddingRequest]) -> list[EmbeddingResult]:
        """Embed several requests; results in the order of the requests."""
        ...
