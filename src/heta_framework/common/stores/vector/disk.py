"""The persistent embedded vector store: plain files, exact by itself, fast at a million with the extra `ann`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from anyio import to_thread

from heta_framework.common.computing import compute
from heta_framework.common.stores.fields import positive
from heta_framework.common.stores.vector.collection_errors import check_same_space, unknown_collection
from heta_framework.common.stores.vector.on_disk.collection import DiskCollection
from heta_framework.common.stores.vector.on_disk.layout import Layout
from heta_framework.common.stores.vector.on_disk.neighbours import GraphOptions
from heta_framework.common.stores.vector.on_disk.records import Space
from heta_framework.common.stores.vector.types import (
    VectorCollectionConfig,
    VectorQuery,
    VectorRecord,
    VectorSearchResult,
)

__all__ = ["DiskVectorStore", "GraphOptions"]

_Identity = tuple[int, int]


class DiskVectorStore:
    """A `VectorStoreProtocol` in a directory; what was upserted is there after a kill at any moment.

    Scores are exact. So are the rankings of collections of fewer than `exact_below` rows, of searches with a filter or
    for more than a 64th of all rows, and of every search where the extra `ann` (usearch) is not installed. Else a graph
    proposes the candidates: of the ten best of a million, over 95 of 100 are found (see `perf/vector_store.py`). The
    graph is extended by the upserts that fill the collection and saved on the way and by `aclose`; a torn one is made
    again by the first call that needs it, which then takes as long as building did.

    One process writes at a time, others wait for their turn; searches wait for nobody. Metadata must be JSON-safe.
    """

    in_process: ClassVar[bool] = True
    """No network lies between: thousands of records of one call are better than many calls."""

    def __init__(
        self,
        directory: Path | str,
        *,
        exact_below: int = 50_000,
        graph: GraphOptions | None = None,
        patience: float = 10.0,
        purge_deleted: bool = True,
    ) -> None:
        """Open the store, whatever the directory already holds; nothing is read or made before it is used.

        Args:
            directory: made when the first collection is.
            exact_below: rows from which on a collection gets a graph, at least 1.
            graph: how graphs are built and walked.
            patience: seconds to wait for another process that writes.
            purge_deleted: overwrite the vectors of deleted and replaced records before the call returns, and make the
                graph of a collection anew that holds some; False leaves them there until they are the majority, and
                makes the method of this name do nothing.
        """
        self._layout = Layout(Path(directory))
        self._exact_below = positive("exact_below", exact_below)
        self._graph = graph or GraphOptions()
        self._patience = patience
        self._purge_deleted = purge_deleted
        self._open: dict[str, tuple[_Identity, DiskCollection]] = {}
        self._opening = threading.Lock()

    async def create_collection(self, config: VectorCollectionConfig) -> None:
        """Make a collection; see `VectorStoreProtocol.create_collection`."""
        await to_thread.run_sync(self._create, config)

    async def drop_collection(self, name: str) -> None:
        """Remove a collection with all its records, damaged ones too; an unknown one is passed over."""
        await to_thread.run_sync(self._drop, name)

    async def has_collection(self, name: str) -> bool:
        """Whether a collection exists."""
        return self._layout.identity(name) is not None

    async def upsert(self, collection: str, records: Sequence[VectorRecord]) -> None:
        """Add records or replace those of the same id; all of them are committed, or none.

        Raises:
            ValueError: the collection is unknown, or a record is refused; the message names it.
            VectorStoreError: the files are damaged, or another process keeps writing.
        """
        await to_thread.run_sync(lambda: self._collection(collection).upsert(records))

    async def search(self, collection: str, query: VectorQuery) -> list[VectorSearchResult]:
        """Return the best hits, best first, equal scores in ascending order of id."""
        return await compute(lambda: self._collection(collection).search(query))

    async def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove records; unknown ids are passed over."""
        await to_thread.run_sync(lambda: self._collection(collection).delete(ids))

    async def purge_deleted(self, collections: Sequence[str]) -> None:
        """Take the last copies of deleted texts and metadata out of the files, which are written anew for that.

        `delete` overwrites them where they were; SQLite may have left copies between other records. Unknown collections
        are passed over.
        """
        for name in collections:
            if self._layout.identity(name) is not None:
                await to_thread.run_sync(self._purge, name)

    async def count(self, collection: str) -> int:
        """How many records the collection holds."""
        return await to_thread.run_sync(lambda: self._collection(collection).count())

    async def release(self, collection: str) -> None:
        """Close the files of one collection, as `aclose` does those of all; one that is not open is passed over."""
        await to_thread.run_sync(self._release, collection)

    async def aclose(self) -> None:
        """Save the graphs and close the files; a later call opens them again."""
        await to_thread.run_sync(self._close)

    def _create(self, config: VectorCollectionConfig) -> None:
        if self._layout.identity(config.name) is None:
            self._layout.make(config.name, Space(config.dimension, config.metric))
        check_same_space(*self._collection(config.name).space, config)

    def _purge(self, name: str) -> None:
        self._collection(name).purge()

    def _drop(self, name: str) -> None:
        with self._opening:
            self._layout.drop(name)
            _, opened = self._open.pop(name, (None, None))
        if opened is not None:
            opened.close(save=False)

    def _release(self, name: str) -> None:
        with self._opening:
            _, opened = self._open.pop(name, (None, None))
        if opened is not None:
            opened.close()

    def _collection(self, name: str) -> DiskCollection:
        identity = self._layout.identity(name)
        if identity is None:
            raise unknown_collection(name, self._layout.names())
        known, opened = self._open.get(name, (None, None))
        if opened is not None and known == identity:
            return opened
        with self._opening:
            known, opened = self._open.get(name, (None, None))
            if opened is None or known != identity:
                opened = DiskCollection(
                    self._layout.folder(name),
                    exact_below=self._exact_below,
                    graph=self._graph,
                    patience=self._patience,
                    purge_deleted=self._purge_deleted,
                )
                self._open[name] = identity, opened
            return opened

    def _close(self) -> None:
        with self._opening:
            opened = [collection for _, collection in self._open.values()]
            self._open.clear()
        for collection in opened:
            collection.close()
