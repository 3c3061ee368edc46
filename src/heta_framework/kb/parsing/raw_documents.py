"""Raw documents, read in batches that fit in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from heta_framework.common.stores.object.many import get_many
from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.kb.documents import SourceDocument
from heta_framework.kb.errors import StepError

_FIRST_BATCH = 32
_LARGEST_BATCH = 1_024
_BATCH_BYTES = 8 << 20


class RawDocument(NamedTuple):
    """A document and its bytes."""

    document: SourceDocument
    data: bytes


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
        yield [RawDocument(document, data) for document, data in zip(batch, found, strict=True)]
        start += len(batch)
        average = sum(map(len, found)) // len(found) + 1
        size = max(1, min(_LARGEST_BATCH, _BATCH_BYTES // average))


async def _contents(objects: ObjectStoreProtocol, keys: list[str]) -> list[bytes]:
    try:
        return await get_many(objects, keys)
    except FileNotFoundError:
        for key in keys:
            if not await objects.exists(key):
                raise StepError(f"the object store holds no raw document {key!r}", document=key) from None
        raise
