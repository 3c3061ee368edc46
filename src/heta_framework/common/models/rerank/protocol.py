"""What every reranker offers, local or behind an endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from heta_framework.common.models.rerank.types import RerankRequest, RerankResult


@runtime_checkable
class RerankModelProtocol(Protocol):
    """Orders texts by a query."""

    @property
    def model_name(self) -> str:
        """Which model orders."""
        ...

    async def rerank(self, request: RerankRequest) -> RerankResult:
        """Order the documents of one request."""
        ...

    async def rerank_many(self, requests: Sequence[RerankRequest]) -> list[RerankResult]:
        """Order several requests; results in the order of the requests."""
        ...
