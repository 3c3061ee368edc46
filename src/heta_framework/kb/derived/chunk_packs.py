"""Chunks in packs: how they are written, and how every later step reads them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection, Iterable
from functools import partial
from typing import Any

from anyio import to_thread

from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.kb.chunks import Chunk, text_sha256
from heta_framework.kb.derived.fast_json import decode_many, encode_json
from heta_framework.kb.derived.pack import check_pack, decode_pack
from heta_framework.kb.derived.packs import Record, pack_name, read_own, write_packs

_FEW_DOCUMENTS = 20


async def write_chunks(objects: ObjectStoreProtocol, prefix: str, chunks: Iterable[Chunk]) -> tuple[str, ...]:
    """Write chunks, in their order, below ``prefix`` (which ends with ``/``); return the keys of the packs."""
    return await write_packs(objects, prefix, await to_thread.run_sync(chunk_records, chunks))


async def read_chunks(objects: ObjectStoreProtocol, keys: Iterable[str]) -> AsyncIterator[list[Chunk]]:
    """The chunks of these packs, one list a pack.

    Raises:
        LostArtifactError: a pack is gone, cut or altered.
    """
    for key in keys:
        yield await read_own(objects, key, _decoded)


async def read_text_hashes(
    objects: ObjectStoreProtocol, keys: Iterable[str], document_ids: Collection[str] | None = None
) -> AsyncIterator[set[str]]:
    """The hashes of the texts of chunks, one set a pack, made in a worker thread.

    Args:
        document_ids: of these documents alone; None for all.

    Raises:
        LostArtifactError: a pack is gone, cut or altered.
    """
    for key in keys:
        yield await read_own(objects, key, partial(_text_hashes, document_ids))


def _text_hashes(document_ids: Collection[str] | None, data: bytes) -> set[str]:
    values: Iterable[bytes] = decode_pack(data).values()
    if document_ids is not None and len(document_ids) <= _FEW_DOCUMENTS:  # looking for an id is cheaper than decoding
        written = [encode_json(document_id) for document_id in document_ids]
        values = [value for value in values if any(one in value for one in written)]
    found = decode_many(values)
    return {
        text_sha256(chunk["text"]) for chunk in found if document_ids is None or chunk["document_id"] in document_ids
    }


def chunk_records(chunks: Iterable[Chunk]) -> list[Record]:
    """The records of chunks in a pack: chunk id and JSON."""
    return [(chunk.chunk_id, encode_json(_fields(chunk))) for chunk in chunks]


def _fields(chunk: Chunk) -> dict[str, object]:
    # dataclasses.asdict copies deeply, which costs more than all the rest of a build without models
    return {name: getattr(chunk, name) for name in Chunk.__slots__}


def _decoded(data: bytes) -> list[Chunk]:
    check_pack(data)
    return list(_remembered(pack_name(data), data))


class _LastPacks:
    """The chunks of the packs that were read last: the steps of a build read the same ones one after another."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[str, tuple[Chunk, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, name: str, data: bytes) -> tuple[Chunk, ...]:
        """The chunks of a pack that is called so, which is by its content."""
        with self._lock:
            found = self._held.get(name)
        chunks = found or tuple(map(_chunk, decode_many(decode_pack(data).values())))
        with self._lock:
            self._held[name] = chunks
            self._held.move_to_end(name)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        return chunks

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._held.clear()


_remembered = _LastPacks(most=4)


def forget_remembered() -> None:
    """Let go of the chunks that this process has read."""
    _remembered.clear()


def _chunk(fields: dict[str, Any]) -> Chunk:
    fields["parent_chunk_ids"] = tuple(fields["parent_chunk_ids"])
    fields["heading_path"] = tuple(fields["heading_path"])
    return Chunk(**fields)
