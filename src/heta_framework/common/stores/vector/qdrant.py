"""The vector store on a Qdrant server, or on Qdrant's local mode in a folder."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from anyio import to_thread

from heta_framework.common.stores.vector.errors import VectorStoreError
from heta_framework.common.stores.vector.types import (
    VectorCollectionConfig,
    VectorQuery,
    VectorRecord,
    VectorSearchResult,
)

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

    from heta_framework.common.stores.vector.qdrant_collections import QdrantCollections

_T = TypeVar("_T")
_ATTEMPTS = 2
_WAIT_S = 0.1
_IN_MEMORY = ":memory:"

# stamina logs every retry as a warning, which Python prints where no logging is set up
logging.getLogger("stamina").addHandler(logging.NullHandler())


class QdrantVectorStore:
    """A `VectorStoreProtocol` on Qdrant.

    A record is a point whose id is the UUID 5 of the record's; a collection has one named vector, whose name is the
    metric. Scores are computed here, in float64 from the stored float32, so they equal those of the stores in this
    process; what a server's index leaves out stays out. In texts and metadata NUL characters and lone surrogates become
    U+FFFD. Points are sent 1,000 at a time: of a larger upsert that breaks, the first ones are written.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        path: Path | str | None = None,
        api_key_env: str | None = None,
        timeout: int = 30,
    ) -> None:
        """Nothing is connected to before it is used.

        Args:
            url: of a server, such as ``http://localhost:6333``.
            path: of a folder for the local mode, instead of a server; one process at a time. ``:memory:`` keeps
                everything in this process.
            api_key_env: the environment variable with the server's key.
            timeout: seconds to wait for an answer.

        Raises:
            ValueError: neither or both of url and path are given.
        """
        if (url is None) == (path is None):
            raise ValueError("give either the url of a Qdrant server or the path of a folder")
        self._url = url
        self._path = path
        self._api_key_env = api_key_env
        self._timeout = timeout
        self._client: QdrantClient | None = None
        self._opening = threading.Lock()
        # the local mode is not made for several threads
        self._turn = threading.Lock() if url is None else contextlib.nullcontext()

    def __repr__(self) -> str:
        return f"QdrantVectorStore({self._place!r})"

    async def create_collection(self, config: VectorCollectionConfig) -> None:
        """Make a collection; see `VectorStoreProtocol.create_collection`."""
        await self._run(lambda collections: collections.create(config))

    async def drop_collection(self, name: str) -> None:
        """Remove a collection with all its records; an unknown one is passed over."""
        await self._run(lambda collections: collections.drop(name))

    async def has_collection(self, name: str) -> bool:
        """Whether a collection exists."""
        return await self._run(lambda collections: collections.has(name))

    async def upsert(self, collection: str, records: Sequence[VectorRecord]) -> None:
        """Add records or replace those of the same id.

        Raises:
            ValueError: the collection is unknown, or a record is refused; the message names it, nothing was written.
            VectorStoreError: the server is out of reach or refuses.
        """
        await self._run(lambda collections: collections.upsert(collection, records))

    async def search(self, collection: str, query: VectorQuery) -> list[VectorSearchResult]:
        """Return the best hits, best first, equal scores in ascending order of id."""
        return await self._run(lambda collections: collections.search(collection, query))

    async def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove records; unknown ids are passed over."""
        await self._run(lambda collections: collections.delete(collection, ids))

    async def count(self, collection: str) -> int:
        """How many records the collection holds."""
        return await self._run(lambda collections: collections.count(collection))

    async def aclose(self) -> None:
        """Close the connection; a later call opens another."""
        client, self._client = self._client, None
        if client is not None:
            await to_thread.run_sync(client.close)

    @property
    def _place(self) -> str:
        return str(self._path if self._url is None else self._url)

    async def _run(self, work: Callable[[QdrantCollections], _T]) -> _T:
        return await to_thread.run_sync(self._run_once_more_if_broken, work)

    def _run_once_more_if_broken(self, work: Callable[[QdrantCollections], _T]) -> _T:
        stamina, errors = _libraries()
        caller = stamina.RetryingCaller(attempts=_ATTEMPTS, timeout=None, wait_initial=_WAIT_S)
        try:
            return caller(errors.ResponseHandlingException, self._run_sync, work)  # type: ignore[no-any-return]
        except errors.ApiException as error:
            raise VectorStoreError(f"Qdrant at {self._place}: {' '.join(str(error).split())}") from error

    def _run_sync(self, work: Callable[[QdrantCollections], _T]) -> _T:
        from heta_framework.common.stores.vector.qdrant_collections import QdrantCollections

        with self._turn:
            return work(QdrantCollections(self._opened(), on_server=self._url is not None))

    def _opened(self) -> QdrantClient:
        from qdrant_client import QdrantClient

        with self._opening:
            if self._client is None and self._path == _IN_MEMORY:
                self._client = QdrantClient(_IN_MEMORY)
            elif self._client is None and self._url is None:
                self._client = QdrantClient(path=str(self._path), force_disable_check_same_thread=True)
            elif self._client is None:
                self._client = QdrantClient(self._url, api_key=self._key(), timeout=self._timeout)
            return self._client

    def _key(self) -> str | None:
        if self._api_key_env is None:
            return None
        key = os.environ.get(self._api_key_env)
        if not key:
            raise VectorStoreError(f"the key for Qdrant at {self._place}: {self._api_key_env} is not set")
        return key


def _libraries() -> tuple[Any, Any]:
    import stamina

    try:
        from qdrant_client.http import exceptions
    except ImportError as error:
        raise VectorStoreError(
            f'Qdrant needs its client ({error}); install it with: pip install "heams[qdrant]"'
        ) from None
    return stamina, exceptions
