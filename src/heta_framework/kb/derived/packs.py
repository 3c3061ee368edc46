"""Packs in an object store: records of any number written as packs of a good size, and read back pack by pack.

A pack is called after its content, so that writing the same records again changes nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Sequence
from typing import TypeVar

from anyio import to_thread

from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.kb.derived.pack import TornPackError, decode_pack, encode_pack
from heta_framework.kb.steps.errors import LostArtifactError

_T = TypeVar("_T")
Record = tuple[str, bytes]

PACK_RECORDS = 1_000
PACK_BYTES = 8 << 20
PACK_SUFFIX = ".pack"
_NAME_LENGTH = 16
_DIGEST_BYTES = 32
_SMALL_BYTES = 64 << 10
_MANY_SMALL = 16


def pack_name(data: bytes) -> str:
    """The name of an encoded pack: the hex digest that stands at its end."""
    return data[-_DIGEST_BYTES:].hex()


async def write_packs(objects: ObjectStoreProtocol, prefix: str, records: Iterable[Record]) -> tuple[str, ...]:
    """Write records, in their order, below ``prefix`` (which ends with ``/``); return the keys of the packs."""
    return tuple([await write_pack(objects, prefix, group) for group in grouped(records)])


async def write_pack(objects: ObjectStoreProtocol, prefix: str, records: Sequence[Record]) -> str:
    """Write these records as one pack; return its key."""
    data = await encoded_pack(records)
    key = f"{prefix}{pack_name(data)[:_NAME_LENGTH]}{PACK_SUFFIX}"
    await objects.put(key, data)
    return key


async def encoded_pack(records: Sequence[Record]) -> bytes:
    """The bytes of a pack, made in a worker thread."""
    return await to_thread.run_sync(encode_pack, records)


async def read_pack(objects: ObjectStoreProtocol, key: str) -> dict[str, bytes]:
    """The records of the pack under ``key``.

    Raises:
        TornPackError: it is cut or altered; the message names the key.
        FileNotFoundError: there is none.
    """
    data = await objects.get(key)
    try:
        return await to_thread.run_sync(decode_pack, data)
    except TornPackError as error:
        raise TornPackError(f"{key}: {error}") from None


async def read_packs(objects: ObjectStoreProtocol, keys: Iterable[str]) -> AsyncIterator[dict[str, bytes]]:
    """The records pack by pack, of packs that a knowledge base's artifacts name.

    Raises:
        LostArtifactError: a pack is gone, cut or altered.
    """
    for key in keys:
        yield await read_own_pack(objects, key)


async def read_own_pack(objects: ObjectStoreProtocol, key: str) -> dict[str, bytes]:
    """The records of one of those packs; raises as `read_packs` does."""
    return await read_own(objects, key, decode_pack)


async def read_own(objects: ObjectStoreProtocol, key: str, decode: Callable[[bytes], _T]) -> _T:
    """One of those packs, decoded in a worker thread; raises as `read_packs` does."""
    try:
        return await to_thread.run_sync(decode, await objects.get(key))
    except (TornPackError, FileNotFoundError) as error:
        raise LostArtifactError(f"{key} is gone, cut or altered: {error}") from error


def grouped(records: Iterable[Record]) -> Iterator[list[Record]]:
    """The records in groups, each good for one pack."""
    group: list[Record] = []
    size = 0
    for record in records:
        if group and (len(group) >= PACK_RECORDS or size + len(record[1]) > PACK_BYTES):
            yield group
            group, size = [], 0
        group.append(record)
        size += len(record[1])
    if group:
        yield group


class PackWriter:
    """Writes records below a prefix as they come; a pack is written when enough have gathered."""

    def __init__(self, objects: ObjectStoreProtocol, prefix: str) -> None:
        self._objects = objects
        self._prefix = prefix
        self._waiting: list[Record] = []
        self._size = 0
        self._keys: list[str] = []

    async def add(self, records: Iterable[Record]) -> None:
        """Take records; may write."""
        for record in records:
            self._waiting.append(record)
            self._size += len(record[1])
            if len(self._waiting) >= PACK_RECORDS or self._size >= PACK_BYTES:
                await self._write()

    async def close(self) -> tuple[str, ...]:
        """Write what is left; the keys of all packs, in the order of the records."""
        if self._waiting:
            await self._write()
        return tuple(self._keys)

    async def _write(self) -> None:
        self._keys.append(await write_pack(self._objects, self._prefix, self._waiting))
        self._waiting, self._size = [], 0


async def packs_without(
    objects: ObjectStoreProtocol, prefix: str, keys: Iterable[str], unwanted: Callable[[str, bytes], bool]
) -> tuple[tuple[str, ...], list[Record]]:
    """The packs again without some records.

    Returns:
        the keys, a pack that lost nothing under the one it had; and the records that are no longer in. The old packs
        still stand: see `sweep`.
    """
    kept_keys: list[str] = []
    dropped: list[Record] = []
    for key in keys:
        records = await read_own_pack(objects, key)
        gone = {name: value for name, value in records.items() if unwanted(name, value)}
        dropped += gone.items()
        kept = [(name, value) for name, value in records.items() if name not in gone]
        if not gone:
            kept_keys.append(key)
        elif kept:
            kept_keys.append(await write_pack(objects, prefix, kept))
    return tuple(kept_keys), dropped


async def compacted(objects: ObjectStoreProtocol, prefix: str, keys: Sequence[str]) -> tuple[str, ...]:
    """The packs again, the small ones written as a few large ones where updates have left many.

    The old packs still stand: see `sweep`.
    """
    sizes = {info.key: info.size or 0 for info in await objects.list(prefix)}
    small = [key for key in keys if sizes.get(key, _SMALL_BYTES) < _SMALL_BYTES]
    if len(small) < _MANY_SMALL:
        return tuple(keys)
    writer = PackWriter(objects, prefix)
    async for records in read_packs(objects, small):
        await writer.add(records.items())
    gone = frozenset(small)
    return (*(key for key in keys if key not in gone), *await writer.close())


async def sweep(objects: ObjectStoreProtocol, prefix: str, keep: Collection[str]) -> None:
    """Delete the packs below ``prefix`` that nothing refers to: what a killed run or an update left behind."""
    kept = frozenset(keep)
    for info in await objects.list(prefix):
        if info.key.endswith(PACK_SUFFIX) and info.key not in kept:
            await objects.delete(info.key)
