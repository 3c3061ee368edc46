"""The vectors of entities' names, in a collection of their own, and the synonyms that they show."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from anyio import to_thread

from heta_framework.kb.graphing.storing.embedding import FactEmbedding
from heta_framework.kb.graphing.storing.rows import Row
from heta_framework.kb.graphing.storing.synonyms import MOST_COMPARISONS, NEAREST, may_have_synonyms, synonym_pairs

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from heta_framework.common.stores.vector.protocol import VectorStoreProtocol

    Rows = npt.NDArray[np.float32]

_RECORDS_A_CALL = 2_048
_DIGITS = 4


class NameVectors:
    """Finds synonyms: of all names at once where all are new, of some by search in the collection."""

    def __init__(self, store: VectorStoreProtocol, embedding: FactEmbedding, collection: str) -> None:
        self._store = store
        self._embedding = embedding
        self._collection = collection

    async def drop(self) -> None:
        """Remove the collection."""
        await self._store.drop_collection(self._collection)

    async def delete(self, ids: Sequence[str]) -> None:
        """Remove the names of entities."""
        if ids and await self._store.has_collection(self._collection):
            await self._store.delete(self._collection, ids)

    async def synonyms(self, names: Sequence[tuple[str, str]], threshold: float, *, all_new: bool) -> list[Row]:
        """Write the names of entities, given as (id, name), and find their synonyms.

        Args:
            all_new: whether there are no other names.
        """
        named = [(entity_id, name) for entity_id, name in names if may_have_synonyms(name)]
        rows = await self._embedding.rows([name for _, name in named], "entity_synonyms")
        placed = [row for row in range(len(named)) if rows[row].any()]
        ids, rows = [named[row][0] for row in placed], rows[placed]
        if not ids:
            return []
        await self._write(ids, rows)
        if all_new and len(ids) ** 2 <= MOST_COMPARISONS:
            pairs = await to_thread.run_sync(lambda: list(synonym_pairs(rows, range(len(ids)), threshold)))
            return _rows({(ids[one], ids[other]): cosine for one, other, cosine in pairs})
        return _rows(await self._searched(ids, rows, threshold))

    async def _write(self, ids: Collection[str], rows: Rows) -> None:
        from heta_framework.common.stores.vector.types import VectorCollectionConfig, VectorRecord

        await self._store.create_collection(VectorCollectionConfig(self._collection, rows.shape[1], "cosine"))
        records = [VectorRecord(entity_id, row) for entity_id, row in zip(ids, rows, strict=True)]
        for start in range(0, len(records), _RECORDS_A_CALL):
            await self._store.upsert(self._collection, records[start : start + _RECORDS_A_CALL])

    async def _searched(self, ids: Sequence[str], rows: Rows, threshold: float) -> dict[tuple[str, str], float]:
        from heta_framework.common.stores.vector.types import VectorQuery

        found: dict[tuple[str, str], float] = {}
        for entity_id, row in zip(ids, rows, strict=True):
            hits = await self._store.search(self._collection, VectorQuery(row, NEAREST + 1))
            near = [hit for hit in hits if hit.id != entity_id and hit.score >= threshold][:NEAREST]
            found.update(((entity_id, hit.id), hit.score) for hit in near)
        return found


def _rows(pairs: dict[tuple[str, str], float]) -> list[Row]:
    """Each pair once, whichever way it was found; a search and a product of matrices differ in the last digits."""
    ordered = {(min(pair), max(pair)): round(min(cosine, 1.0), _DIGITS) for pair, cosine in pairs.items()}
    return [
        {"entity_id": one, "other_entity_id": other, "similarity": cosine} for (one, other), cosine in ordered.items()
    ]
