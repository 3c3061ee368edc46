"""The vector collections of a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.storing.embedding import FactEmbedding
from heta_framework.kb.graphing.storing.fact_kinds import StoredKind

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from heta_framework.common.stores.vector.protocol import VectorStoreProtocol
    from heta_framework.common.stores.vector.types import Metric, VectorRecord

_IDS_A_CALL = 1_000


class FactVectors:
    """Writes vectors of facts. A collection is made with its first vector; without facts there is none.

    Attributes:
        dimension: of the vectors written so far; 0 before the first.
        without_vector: facts for whose text the model has no vector.
    """

    def __init__(
        self,
        store: VectorStoreProtocol,
        embedding: FactEmbedding,
        *,
        metric: Metric,
        batch_size: int,
    ) -> None:
        self._store = store
        self.embedding = embedding
        self._metric = metric
        self._batch_size = batch_size
        self.dimension = 0
        self.without_vector: list[str] = []

    async def drop(self, collection: str) -> None:
        """Remove the collection."""
        await self._store.drop_collection(collection)

    async def count(self, collection: str) -> int:
        """How many facts have a vector."""
        return await self._store.count(collection) if await self._store.has_collection(collection) else 0

    async def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove the vectors of facts."""
        if ids and await self._store.has_collection(collection):
            for start in range(0, len(ids), _IDS_A_CALL):
                await self._store.delete(collection, ids[start : start + _IDS_A_CALL])

    async def upsert(self, collection: str, kind: StoredKind, facts: Sequence[Fact]) -> None:
        """Embed facts and write their vectors."""
        texts = [kind.index_text(fact) for fact in facts]
        unplaced: set[str] = set()
        async for start, rows in self.embedding.slices(texts, kind.embed_purpose):
            records = self._records(kind, facts[start : start + len(rows)], texts[start:], rows, unplaced)
            await self._write(collection, rows.shape[1], records)
        await self.delete(collection, sorted(unplaced))
        self.without_vector += sorted(unplaced)

    def _records(
        self,
        kind: StoredKind,
        facts: Sequence[Fact],
        texts: Sequence[str],
        rows: npt.NDArray[np.float32],
        unplaced: set[str],
    ) -> list[VectorRecord]:
        from heta_framework.common.stores.vector.types import VectorRecord

        records: list[VectorRecord] = []
        for fact, text, row in zip(facts, texts, rows, strict=False):
            if row.any():
                metadata = {**kind.vector_metadata(fact), "embedding_model": self.embedding.model.model_name}
                records.append(VectorRecord(fact[kind.id_field], row, text, metadata))
            else:
                unplaced.add(fact[kind.id_field])
        return records

    async def _write(self, collection: str, dimension: int, records: Sequence[VectorRecord]) -> None:
        from heta_framework.common.stores.vector.types import VectorCollectionConfig

        if not records:
            return
        self.dimension = dimension
        await self._store.create_collection(VectorCollectionConfig(collection, dimension, self._metric))
        for start in range(0, len(records), self._batch_size):
            await self._store.upsert(collection, records[start : start + self._batch_size])
