"""Vectors of chunks: where they lie, and how every later step reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.context import StepExecutionContext
from heta_framework.kb.derived.step_cache import StepCache
from heta_framework.kb.steps.errors import LostArtifactError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

EMBED_STEP = "embed"
_LITTLE_ENDIAN = "<f4"

_caches: WeakKeyDictionary[StepExecutionContext, dict[str, StepCache]] = WeakKeyDictionary()


def embedding_space(model_name: str, dimension: int) -> dict[str, Any]:
    """The artifact that says where vectors are: vectors of another model or length never lie in the same place."""
    return {"model_name": model_name, "dimension": dimension, "cache": [EMBED_STEP, model_name, dimension]}


def embedding_cache(context: StepExecutionContext, space: dict[str, Any], *, store: str | None = None) -> StepCache:
    """The cache that holds the vectors of a space; the same one all through a run."""
    step, *settings = space["cache"]
    cache = context.cache(step, *settings, store=store)
    return _caches.setdefault(context, {}).setdefault(f"{store}:{cache.prefix}", cache)


async def read_embeddings(
    context: StepExecutionContext,
    chunks: Sequence[Chunk],
    *,
    space_artifact: str = "embedding_space",
    store: str | None = None,
) -> npt.NDArray[np.float32]:
    """The vectors of chunks, float32 (n, d), in their order; a chunk without tokens may have a zero vector.

    Args:
        space_artifact: the artifact of the EmbedChunks step that made them.
        store: the named object store; None for the recipe's slot.

    Raises:
        LostArtifactError: a vector is not there; EmbedChunks has to run again.
    """
    import numpy as np

    space = context.get_artifact(space_artifact)
    hashes = [chunk.text_sha256 for chunk in chunks]
    found = await embedding_cache(context, space, store=store).get(set(hashes))
    for chunk, digest in zip(chunks, hashes, strict=True):
        if digest not in found:
            raise LostArtifactError(
                f"the vector of chunk {chunk.chunk_id} of document {chunk.document_id!r} is gone from the step cache; "
                "run EmbedChunks again",
                document=chunk.document_id,
            )
    joined = b"".join(found[digest] for digest in hashes)
    return np.frombuffer(joined, dtype=_LITTLE_ENDIAN).reshape(len(hashes), space["dimension"]).astype(np.float32)


def embedding_payload(row: npt.NDArray[np.float32]) -> bytes:
    """A vector as the cache keeps it."""
    return row.astype(_LITTLE_ENDIAN).tobytes()
