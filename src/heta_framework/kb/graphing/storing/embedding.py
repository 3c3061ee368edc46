"""Vectors of facts and names. Those that cost a call of a service are kept in the step cache."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from typing import TYPE_CHECKING

from heta_framework.kb.graphing.storing.rows import text_key
from heta_framework.kb.graphing.storing.used_vectors import use_vectors

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from heta_framework.common.models.embedding.protocol import EmbeddingModelProtocol
    from heta_framework.kb.context import StepExecutionContext

    Rows = npt.NDArray[np.float32]

_TEXTS_A_SLICE = 2_048
_LITTLE_ENDIAN = "<f4"


class FactEmbedding:
    """Embeds texts for one step; what a service embedded before, for whatever knowledge base, is not embedded again.

    A model that computes here (it has ``embed_texts``) is faster than a store, so that its vectors are not kept.
    """

    def __init__(
        self, run: StepExecutionContext, model: EmbeddingModelProtocol, step: str, *, store: str | None, batch_size: int
    ) -> None:
        self.model = model
        self._step = step
        self._batch_size = batch_size
        local = hasattr(model, "embed_texts")
        self._run = run
        self._cache = None if local else run.cache("embed_graph", model.model_name, store=store)

    async def slices(self, texts: Sequence[str], purpose: str) -> AsyncIterator[tuple[int, Rows]]:
        """The vectors, float32 (n, dimension), slice by slice, each with the position at which it begins."""
        for start in range(0, len(texts), _TEXTS_A_SLICE):
            yield start, await self._rows(texts[start : start + _TEXTS_A_SLICE], purpose)

    async def rows(self, texts: Sequence[str], purpose: str) -> Rows:
        """All vectors at once; (0, 0) for no texts."""
        import numpy as np

        parts = [rows async for _, rows in self.slices(texts, purpose)]
        return np.concatenate(parts) if parts else np.empty((0, 0), dtype=np.float32)

    async def forget(self, keys: Collection[str]) -> None:
        """Forget the vectors of texts that nothing says any more, given as `text_key`."""
        if self._cache is not None and keys:
            await self._cache.discard(keys)

    def keep(self, keys: Collection[str]) -> None:
        """The vectors of these keys stay in use, although this run did not ask for them."""
        if self._cache is not None:
            use_vectors(self._run, keys)

    async def _rows(self, texts: Sequence[str], purpose: str) -> Rows:
        if self._cache is None:
            return await self._embedded(texts, purpose)
        import numpy as np

        keys = [text_key(text) for text in texts]
        by_key = dict(zip(keys, texts, strict=True))
        use_vectors(self._run, by_key)
        known = await self._cache.get(by_key.keys())
        missing = [key for key in by_key if key not in known]
        if missing:
            rows = await self._embedded([by_key[key] for key in missing], purpose)
            fresh = {key: row.astype(_LITTLE_ENDIAN).tobytes() for key, row in zip(missing, rows, strict=True)}
            await self._cache.put(fresh)
            known |= fresh
        joined = b"".join(known[key] for key in keys)
        return np.frombuffer(joined, dtype=_LITTLE_ENDIAN).reshape(len(keys), -1).astype(np.float32)

    async def _embedded(self, texts: Sequence[str], purpose: str) -> Rows:
        from heta_framework.common.models.embedding.rows import embed_rows

        trace = {"step": self._step, "purpose": purpose}
        rows: Rows = await embed_rows(self.model, texts, trace, batch_size=self._batch_size)
        return rows
