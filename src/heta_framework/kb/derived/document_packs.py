"""The listing of a knowledge base's documents, in packs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.kb.derived.fast_json import decode_json, decode_many, encode_json
from heta_framework.kb.derived.pack import decode_pack
from heta_framework.kb.derived.packs import Record, read_own, write_packs
from heta_framework.kb.documents import DocumentEntry


async def write_documents(
    objects: ObjectStoreProtocol, prefix: str, entries: Iterable[DocumentEntry]
) -> tuple[str, ...]:
    """Write entries, in their order, below ``prefix`` (which ends with ``/``); return the keys of the packs."""
    return await write_packs(objects, prefix, document_records(entries))


async def read_documents(objects: ObjectStoreProtocol, keys: Iterable[str]) -> AsyncIterator[list[DocumentEntry]]:
    """The entries of these packs, one list a pack.

    Raises:
        LostArtifactError: a pack is gone, cut or altered.
    """
    for key in keys:
        yield await read_own(objects, key, _decoded)


def document_records(entries: Iterable[DocumentEntry]) -> list[Record]:
    """The records of entries in a pack: document id and JSON."""
    return [(entry.document_id, encode_json(_fields(entry))) for entry in entries]


def document_entry(value: bytes) -> DocumentEntry:
    """The entry of a record's value."""
    return DocumentEntry(**decode_json(value))


def _decoded(data: bytes) -> list[DocumentEntry]:
    return [DocumentEntry(**fields) for fields in decode_many(decode_pack(data).values())]


def _fields(entry: DocumentEntry) -> dict[str, object]:
    return {name: getattr(entry, name) for name in DocumentEntry.__slots__}
