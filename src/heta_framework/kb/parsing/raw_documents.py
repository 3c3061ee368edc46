"""Raw documents, read in batches that fit in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from anyio import to_thread

from heta_framework.common.stores.object.many import get_many
from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.kb.documents import SourceDocument
from heta_framework.kb.errors import StepError
from heta_framework.kb.parsing.types import compute_content_sha256

_FIRST_BATCH = 32
_LARGEST_BATCH = 1_024
_BATCH_BYTES = 8 << 20
_HELD_BYTES = 32 << 20


class RawDocument(NamedTuple):
    """A document, its bytes, and their sha256 in hex."""

    document: SourceDocument
    data: bytes
    content_sha256: str


class RawBatches:
    """The batches of `read_raw`, to be gone through twice: a few megabytes are read once for both."""

    def __init__(self, objects: ObjectStoreProtocol, documents: Sequence[SourceDocument]) -> None:
        self._objects = objects
        self._documents = documents
        self._held: list[list[RawDocument]] | None = None

    async def first(self) -> AsyncIterator[list[RawDocument]]:
        """Each batch; raises as `read_raw` does."""
        held: list[list[RawDocument]] = []
        size = 0
        async for batch in read_raw(self._objects, self._documents):
            size += sum(len(raw.data) for raw in batch)
            if size <= _HELD_BYTES:
                held.append(batch)
            yield batch
        self._held = held if size <= _HELD_BYTES else None

    async def last(self) -> AsyncIterator[list[RawDocument]]:
        """Each batch again, or for the first time; raises as `read_raw` does."""
        if self._held is None:
            async for batch in read_raw(self._objects, self._documents):
                yield batch
        for batch in self._held or ():
            yield batch


async def read_raw(
    objects: ObjectStoreProtocol, documents: Sequence[SourceDocument]
) -> AsyncIterator[list[RawDocument]]:
    """The documents with their bytes, in their order; a batch is as many as the last one's sizes let expect to fit.

    Raises:
        StepError: one is not there; the message names its key.
    """
    start, size = 0, _FIRST_BATCH
    while start < len(documents):
        batch = documents[start : start + size]
        found = await _contents(objects, [document.key for document in batch])
        yield await to_thread.run_sync(_hashed, batch, found)
        start += len(batch)
        average = sum(map(len, found)) // len(found) + 1
        size = max(1, min(_LARGEST_BATCH, _BATCH_BYTES // average))


def _hashed(documents: Sequence[SourceDocument], found: Sequence[bytes]) -> list[RawDocument]:
    return [
        RawDocument(document, data, compute_content_sha256(data))
        for document, data in zip(documents, found, strict=True)
    ]


async def _contents(objects: ObjectStoreProtocol, keys: list[str]) -> list[bytes]:
    try:
        return await get_many(objects, keys)
    except FileNotFoundError:
        for key in keys:
            if not await objects.exists(key):
                raise StepError(f"the object store holds no raw document {key!r}", document=key) from None
        raise
