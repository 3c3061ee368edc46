"""Vectors of texts as one array, whatever the model: the fast path of those that compute here, batches for the others.

Every vector is checked at the door: as many as texts, of one length, finite numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from heta_framework.common.computing import compute
from heta_framework.common.models.embedding.types import EmbeddingRequest

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from heta_framework.common.models.embedding.protocol import EmbeddingModelProtocol


class BadVectorError(ValueError):
    """A model's answer is not one finite vector of one length a text.

    Attributes:
        row: the text whose vector is at fault; None where the whole answer is.
    """

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


async def embed_rows(
    model: EmbeddingModelProtocol,
    texts: Sequence[str],
    trace_context: Mapping[str, Any] | None = None,
    *,
    batch_size: int = 128,
) -> npt.NDArray[np.float32]:
    """The vectors of texts, float32 (n, d), in their order; (0, 0) for no texts.

    Args:
        batch_size: texts of one request; a model with ``embed_texts`` gets all of them at once, in a worker thread.

    Raises:
        BadVectorError: see there.
    """
    import numpy as np

    if not texts:
        return np.empty((0, 0), dtype=np.float32)
    embed_texts = getattr(model, "embed_texts", None)
    if embed_texts is not None:
        return _checked(await compute(embed_texts, list(texts)), len(texts))
    requests = [
        EmbeddingRequest(list(texts[start : start + batch_size]), trace_context=trace_context)
        for start in range(0, len(texts), batch_size)
    ]
    results = await model.embed_many(requests)
    if len(results) != len(requests):
        raise BadVectorError(f"the model answered {len(results)} of {len(requests)} requests")
    for request, result in zip(requests, results, strict=True):
        if len(result.vectors) != len(request.texts):
            raise BadVectorError(f"the model gave {len(result.vectors)} vectors for {len(request.texts)} texts")
    return _checked([vector for result in results for vector in result.vectors], len(texts))


def _checked(vectors: Any, expected: int) -> npt.NDArray[np.float32]:
    import numpy as np

    if len(vectors) != expected:
        raise BadVectorError(f"the model gave {len(vectors)} vectors for {expected} texts")
    dimension = len(vectors[0])
    for row, vector in enumerate(vectors):
        if len(vector) != dimension or not dimension:
            raise BadVectorError(f"a vector of {len(vector)} components among those of {dimension}", row)
    with np.errstate(over="ignore"):  # a number too large for float32 becomes infinite and is refused below
        rows: npt.NDArray[np.float32] = np.asarray(vectors, dtype=np.float32)
    finite = np.isfinite(rows).all(axis=1)
    if not finite.all():
        raise BadVectorError("a vector with a component that is not finite", int(finite.argmin()))
    return rows
