"""The embedded vector store: exact search with numpy, everything in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from anyio import to_thread

from heta_framework.common.stores.vector.matrix import VectorMatrix
from heta_framework.common.stores.vector.types import (
    VectorCollectionConfig,
    VectorQuery,
    VectorRecord,
    VectorSearchResult,
)

_T = TypeVar("_T")


class InMemoryVectorStore:
    """A `VectorStoreProtocol` that answers exactly; good to some 200,000 vectors a collection."""

    def __init__(self) -> None:
        self._collections: dict[str, _Collection] = {}
        self._lock = threading.Lock()

    async def create_collection(self, config: VectorCollectionConfig) -> None:
        """Make a collection; see `VectorStoreProtocol.create_collection`."""
        known = self._collections.get(config.name)
        if known is None:
            self._collections[config.name] = _Collection(config)
        elif known.config != config:
            raise ValueError(
                f"vector collection {config.name!r} exists with dimension {known.config.dimension} and metric "
                f"{known.config.metric!r}, asked for dimension {config.dimension} and metric {config.metric!r}; "
                "drop it first or use another name"
            )

    async def drop_collection(self, name: str) -> None:
        """Remove a collection with all its records."""
        self._collection(name)
        del self._collections[name]

    async def has_collection(self, name: str) -> bool:
        """Whether a collection exists."""
        return name in self._collections

    async def upsert(self, collection: str, records: Sequence[VectorRecord]) -> None:
        """Add records or replace those of the same id; all of them, or none and ValueError that names the record."""
        target = self._collection(collection)
        await self._locked(lambda: target.upsert(records))

    async def search(self, collection: str, query: VectorQuery) -> list[VectorSearchResult]:
        """Return the best hits, best first, equal scores in ascending order of id."""
        target = self._collection(collection)
        return await self._locked(lambda: target.search(query))

    async def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove records; unknown ids are passed over."""
        target = self._collection(collection)
        await self._locked(lambda: target.delete(ids))

    async def count(self, collection: str) -> int:
        """How many records the collection holds."""
        return len(self._collection(collection).matrix)

    async def aclose(self) -> None:
        """Drop everything."""
        self._collections.clear()

    def _collection(self, name: str) -> _Collection:
        if name not in self._collections:
            known = ", ".join(sorted(self._collections)) or "none"
            raise ValueError(f"vector collection {name!r} does not exist; known: {known}")
        return self._collections[name]

    async def _locked(self, work: Callable[[], _T]) -> _T:
        def run() -> _T:
            with self._lock:
                return work()

        return await to_thread.run_sync(run)


class _Collection:
    """One collection: the matrix finds, the records say what was found."""

    def __init__(self, config: VectorCollectionConfig) -> None:
        self.config = config
        self.matrix = VectorMatrix(config.dimension, metric=config.metric)
        self._records: dict[str, VectorRecord] = {}

    def upsert(self, records: Sequence[VectorRecord]) -> None:
        self.matrix.add([record.id for record in records], [record.vector for record in records])
        self._records.update((record.id, record) for record in records)

    def delete(self, ids: Sequence[str]) -> None:
        self.matrix.delete(ids)
        for record_id in ids:
            self._records.pop(record_id, None)

    def search(self, query: VectorQuery) -> list[VectorSearchResult]:
        among = self._matching(query) if query.filter else None
        hits = self.matrix.search(query.vector, query.top_k, among=among)
        return [self._result(record_id, score) for record_id, score in hits]

    def _matching(self, query: VectorQuery) -> list[str]:
        return [
            record.id
            for record in self._records.values()
            if all(key in record.metadata and record.metadata[key] == wanted for key, wanted in query.filter.items())
        ]

    def _result(self, record_id: str, score: float) -> VectorSearchResult:
        record = self._records[record_id]
        return VectorSearchResult(record_id, score, record.text, record.metadata)
