"""The documents of a benchmark: looked over once, then read and put into the object store batch by batch."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heta_framework.common.stores.object.many import put_many
from heta_framework.evaluation.document_content import ContentLimits, ContentReader
from heta_framework.evaluation.protocols import BenchmarkProtocol
from heta_framework.evaluation.runner.contents import read_contents
from heta_framework.evaluation.runner.distinct import DistinctIds
from heta_framework.evaluation.runner.identities import Digest
from heta_framework.evaluation.runner.progress import RunProgress, Watcher
from heta_framework.evaluation.runner.raw_state import RawState
from heta_framework.evaluation.types import BenchmarkDocument, BenchmarkManifest, PreparedBenchmark
from heta_framework.evaluation.types.json_safe import json_safe
from heta_framework.evaluation.types.raw_keys import segment
from heta_framework.evaluation.yielded import yielded
from heta_framework.kb import SourceDocument

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol

_BATCH = 256
_BATCH_BYTES = 8 << 20


@dataclass(frozen=True)
class StoredDocuments:
    """The documents as they lie in the object store, in the order of the benchmark's stream.

    Attributes:
        identity: count and hash of ids, keys, media types, metadata and contents.
        put: how many were not there yet, or otherwise.
    """

    sources: Sequence[SourceDocument]
    content_hashes: Sequence[bytes]
    identity: dict[str, Any]
    put: int

    @property
    def keys(self) -> tuple[str, ...]:
        """The raw keys."""
        return tuple(source.key for source in self.sources)

    def identity_of(self, positions: Sequence[int]) -> str:
        """A hash of some of them, in hex."""
        whole = hashlib.sha256()
        for position in positions:
            whole.update(self.content_hashes[position])
        return whole.hexdigest()


async def look_over(benchmark: BenchmarkProtocol, prepared: PreparedBenchmark) -> DistinctIds:
    """The ids of all documents, before anything is written.

    Raises:
        ValueError: there are none, or ids come twice, or one cannot be a document's id, or is the stand-in of another
            one's in the object store.
        TypeError: it yields something else.
    """
    ids = DistinctIds("document_id")
    stand_ins: dict[str, str] = {}
    async for document in yielded(benchmark.documents(prepared), BenchmarkDocument):
        if "\0" in document.document_id:
            raise ValueError(f"document_id {document.document_id!r} holds a NUL, which databases cannot hold")
        ids.add(document.document_id)
        folder = segment(document.document_id)
        if folder != document.document_id:
            stand_ins[document.document_id] = folder
    ids.require_distinct()
    _require_places_of_their_own(stand_ins, ids)
    if not len(ids):
        raise ValueError("benchmark produced no documents")
    return ids


def _require_places_of_their_own(stand_ins: Mapping[str, str], ids: DistinctIds) -> None:
    """No document is put where another one lies. Stand-ins hold a hash, so that two of them are never the same."""
    for document_id, folder in stand_ins.items():
        if folder in ids:
            raise ValueError(
                f"document_id {document_id!r} is kept as {folder!r} in the object store, which is the id of another "
                "document; one of them needs another id"
            )


async def store_documents(
    benchmark: BenchmarkProtocol,
    prepared: PreparedBenchmark,
    *,
    ids: DistinctIds,
    objects: ObjectStoreProtocol,
    largest: int,
    watcher: Watcher,
) -> StoredDocuments:
    """Put all documents; those that are there already, byte by byte, are left alone.

    Args:
        ids: what `look_over` found.
        largest: bytes that a document may have.

    Raises:
        DocumentContentError: the bytes of one cannot be had.
        ValueError: the benchmark gives other documents than before.
    """
    there = await RawState.below(objects, raw_folder(benchmark.manifest))
    putting = _Putting(benchmark.manifest, objects, there, ids)
    async with ContentReader(prepared.root_dir, ContentLimits(max_bytes=largest)) as reader:
        async for batch in _batches(benchmark, prepared):
            async for documents, contents in read_contents(reader, batch):
                await putting.add(documents, contents)
            watcher(RunProgress("documents", None, len(putting.sources), len(ids), message="documents put"))
    if len(putting.sources) < len(ids):
        raise _others()
    return StoredDocuments(putting.sources, putting.hashes, putting.digest.to_dict(), putting.put)


def source_of(document: BenchmarkDocument, manifest: BenchmarkManifest) -> SourceDocument:
    """The document as a knowledge base is told of it."""
    return SourceDocument(
        document.raw_key(manifest),
        document_id=document.document_id,
        media_type=document.media_type,
        metadata=json_safe(document.metadata),
    )


def raw_folder(manifest: BenchmarkManifest) -> str:
    """Where the raw documents of a benchmark lie."""
    return f"raw/benchmarks/{segment(manifest.name)}/{segment(manifest.split)}/"


async def _batches(benchmark: BenchmarkProtocol, prepared: PreparedBenchmark) -> AsyncIterator[list[BenchmarkDocument]]:
    batch: list[BenchmarkDocument] = []
    size = 0
    async for document in yielded(benchmark.documents(prepared), BenchmarkDocument):
        batch.append(document)
        size += len(document.data or b"")
        if len(batch) == _BATCH or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class _Putting:
    """The documents put so far."""

    def __init__(
        self, manifest: BenchmarkManifest, objects: ObjectStoreProtocol, there: RawState, ids: DistinctIds
    ) -> None:
        self._manifest = manifest
        self._objects = objects
        self._there = there
        self._ids = ids
        self.sources: list[SourceDocument] = []
        self.hashes: list[bytes] = []
        self.digest = Digest()
        self.put = 0

    async def add(self, documents: Sequence[BenchmarkDocument], contents: Sequence[bytes]) -> None:
        pairs = []
        for document, content in zip(documents, contents, strict=True):
            source = source_of(document, self._manifest)
            self._note(source, content)
            pairs.append((source.key, content))
        changed = await self._there.changed(pairs)
        await put_many(self._objects, changed)
        self.put += len(changed)

    def _note(self, source: SourceDocument, content: bytes) -> None:
        position = len(self.sources)
        if position >= len(self._ids) or self._ids.at(position) != source.document_id:
            raise _others()
        one = hashlib.sha256(content).digest()
        self.digest.add(source.document_id, source.key, source.media_type, source.metadata, one.hex())
        self.sources.append(source)
        self.hashes.append(one)


def _others() -> ValueError:
    return ValueError("the benchmark gave other documents, or in another order, when it was asked for them again")
