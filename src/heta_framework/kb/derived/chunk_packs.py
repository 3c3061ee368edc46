"""Chunks in packs: how they are written, and how every later step reads them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable
from typing import Any

from anyio import to_thread

from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.kb.chunks import Chunk
from heta_framework.kb.derived.fast_json import decode_json, encode_json
from heta_framework.kb.derived.pack import check_pack, decode_pack
from heta_framework.kb.derived.packs import Record, pack_name, read_own, write_packs


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
        chunks = found or tuple(_chunk(decode_json(value)) for value in decode_pack(data).values())
        with self._lock:
            self._held[name] = chunks
            self._held.move_to_end(name)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        return chunks


_remembered = _LastPacks(most=4)


def _chunk(fields: dict[str, Any]) -> Chunk:
    fields["parent_chunk_ids"] = tuple(fields["parent_chunk_ids"])
    fields["heading_path"] = tuple(fields["heading_path"])
    return Chunk(**fields)
