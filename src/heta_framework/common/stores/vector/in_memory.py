"""The embedded vector store: exact search with numpy, everything in memory."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from anyio import to_thread

from heta_framework.common.computing import compute
from heta_framework.common.stores.vector.collection_errors import check_same_space, unknown_collection
from heta_framework.common.stores.vector.matrix import VectorMatrix
from heta_framework.common.stores.vector.payloads import Filter, Packer, Payload
from heta_framework.common.stores.vector.types import (
    VectorCollectionConfig,
    VectorQuery,
    VectorRecord,
    VectorSearchResult,
)


class InMemoryVectorStore:
    """A `VectorStoreProtocol` that answers exactly; good to some 200,000 vectors a collection.

    Searches run in worker threads, each on the state that was there when it began: they wait neither for each other
    nor for writes.
    """

    in_process: ClassVar[bool] = True
    """No network lies between: thousands of records of one call are better than many calls."""

    def __init__(self) -> None:
        self._collections: dict[str, _Collection] = {}

    async def create_collection(self, config: VectorCollectionConfig) -> None:
        """Make a collection; see `VectorStoreProtocol.create_collection`."""
        known = self._collections.get(config.name)
        if known is None:
            self._collections[config.name] = _Collection(config)
        else:
            check_same_space(known.config.dimension, known.config.metric, config)

    async def drop_collection(self, name: str) -> None:
        """Remove a collection with all its records; an unknown one is passed over."""
        self._collections.pop(name, None)

    async def has_collection(self, name: str) -> bool:
        """Whether a collection exists."""
        return name in self._collections

    async def upsert(self, collection: str, records: Sequence[VectorRecord]) -> None:
        """Add records or replace those of the same id; all of them, or none and ValueError that names the record."""
        target = self._collection(collection)
        await to_thread.run_sync(target.upsert, records)

    async def search(self, collection: str, query: VectorQuery) -> list[VectorSearchResult]:
        """Return the best hits, best first, equal scores in ascending order of id."""
        target = self._collection(collection)
        return await compute(target.search, query)

    async def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove records; unknown ids are passed over."""
        target = self._collection(collection)
        await to_thread.run_sync(target.delete, ids)

    async def count(self, collection: str) -> int:
        """How many records the collection holds."""
        return self._collection(collection).count()

    async def aclose(self) -> None:
        """Drop everything."""
        self._collections.clear()

    def _collection(self, name: str) -> _Collection:
        if name not in self._collections:
            raise unknown_collection(name, self._collections)
        return self._collections[name]


class _State(NamedTuple):
    """One state of a collection, to be read by any thread for as long as it likes.

    A fork of the matrix never changes (see `SharedRows`). Payloads are only ever added to the mapping that goes with
    it, and a reader asks for none but those of the fork's own ids; replacing or deleting one starts a new mapping.
    """

    matrix: VectorMatrix
    payloads: dict[str, Payload]


class _Collection:
    """One collection: the matrix finds, the payloads say what was found. Writers take turns, readers take a state."""

    def __init__(self, config: VectorCollectionConfig) -> None:
        self.config = config
        self._matrix = VectorMatrix(config.dimension, metric=config.metric)
        self._packer = Packer()
        self._writing = threading.Lock()
        self._state = _State(self._matrix.fork(), {})

    def upsert(self, records: Sequence[VectorRecord]) -> None:
        with self._writing:
            known = any(record.id in self._matrix for record in records)
            self._matrix.add([record.id for record in records], [record.vector for record in records])
            payloads = self._state.payloads.copy() if known else self._state.payloads
            payloads.update(self._packer.pack(records))
            self._state = _State(self._matrix.fork(), payloads)

    def delete(self, ids: Sequence[str]) -> None:
        with self._writing:
            if self._matrix.delete(ids):
                gone = set(ids)
                payloads = {key: payload for key, payload in self._state.payloads.items() if key not in gone}
                self._state = _State(self._matrix.fork(), payloads)

    def count(self) -> int:
        return len(self._state.matrix)

    def search(self, query: VectorQuery) -> list[VectorSearchResult]:
        matrix, payloads = self._state
        rows = None
        if query.filter:
            accepts = Filter(query.filter)
            rows = [row for row, record_id in enumerate(matrix.ids()) if accepts(payloads[record_id])]
        hits = matrix.search_rows(query.vector, query.top_k, rows)
        return [payloads[record_id].result(record_id, score) for record_id, score in hits]
