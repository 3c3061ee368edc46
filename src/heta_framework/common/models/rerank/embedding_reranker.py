"""A reranker made of an embedding model: documents by the cosine of their vectors with the query's. Works offline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heta_framework.common.models.embedding.protocol import EmbeddingModelProtocol
from heta_framework.common.models.embedding.types import EmbeddingRequest
from heta_framework.common.models.rerank.ranking import ranked
from heta_framework.common.models.rerank.types import RerankOptions, RerankRequest, RerankResult

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class EmbeddingReranker:
    """A `RerankModelProtocol`; scores are cosines in [-1, 1], and 0 for a text whose vector is zero."""

    def __init__(self, embedding: EmbeddingModelProtocol) -> None:
        self._embedding = embedding

    @property
    def model_name(self) -> str:
        """The embedding model behind it."""
        return f"cosine:{self._embedding.model_name}"

    async def rerank(self, request: RerankRequest) -> RerankResult:
        """Order the documents of one request, best first; equal ones in the order of the request.

        Raises:
            EmbeddingError: the embedding model failed.
        """
        options = request.options or RerankOptions()
        if not request.documents or options.top_n == 0:
            return ranked(request, [], self.model_name)
        texts = [request.query, *request.documents]
        embedded = await self._embedding.embed(EmbeddingRequest(texts, trace_context=request.trace_context))
        scores = _cosines(embedded.vectors).tolist()
        best = sorted(enumerate(scores), key=lambda pair: (-pair[1], pair[0]))
        return ranked(request, best[: options.top_n], self.model_name)

    async def rerank_many(self, requests: Sequence[RerankRequest]) -> list[RerankResult]:
        """Order several requests, one after another."""
        return [await self.rerank(request) for request in requests]


def _cosines(vectors: Sequence[Sequence[float]]) -> npt.NDArray[np.float64]:
    """Cosines of the first vector with each of the others, (len(vectors) - 1,)."""
    import numpy as np

    matrix = np.asarray(vectors, dtype=np.float64)
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    unit = np.divide(matrix, norms, out=np.zeros_like(matrix), where=norms > 0)
    cosines: npt.NDArray[np.float64] = np.clip(unit[1:] @ unit[0], -1.0, 1.0)
    return cosines
