"""Results of steps, kept by what they were made from, for every knowledge base of an object store."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import AsyncIterator, Collection, Iterable, Mapping

import anyio
from anyio import to_thread

from heta_framework.common.stores.object.protocol import ObjectInfo, ObjectStoreProtocol
from heta_framework.kb.derived.pack import TornPackError, check_pack, decode_pack
from heta_framework.kb.derived.pack_memory import PACKS, Version, fingerprint
from heta_framework.kb.derived.packs import PACK_SUFFIX, Record, encoded_pack, grouped, pack_name

_SMALL_RECORDS = 250
_SMALL_BYTES = 256 << 10
_MANY_SMALL = 16


class StepCache:
    """The results of one step under one set of settings.

    Results lie in packs below ``_heta/cache/{step}/{hash of the settings}/``. A pack that is torn is deleted, its
    results count as missing, and its key is in ``torn``. Builds may run at the same time: what the others write after
    this cache first looked is made twice and kept twice, never wrong. Many small packs, as repeated small updates leave
    them, become a few large ones.
    """

    def __init__(self, objects: ObjectStoreProtocol, step: str, *settings: object) -> None:
        self._objects = objects
        self.torn: list[str] = []
        digest = hashlib.sha256(repr(settings).encode("utf-8", "backslashreplace")).hexdigest()[:24]
        self.prefix = f"_heta/cache/{step}/{digest}/"
        self._packs: dict[str, Version] = {}
        self._counts: dict[str, int] = {}
        self._where: dict[bytes, str] = {}
        self._looked = False
        self._looking = anyio.Lock()

    async def missing(self, keys: Iterable[str]) -> list[str]:
        """The keys without a result, in their order, each once."""
        await self._look()
        return [key for key in dict.fromkeys(keys) if fingerprint(key) not in self._where]

    async def put(self, results: Mapping[str, bytes]) -> None:
        """Keep results; durable when this returns. Gather some hundred results first: a call is a pack."""
        await self._look()
        for group in grouped(results.items()):
            await self._write(group)
        await self._merge_small()

    async def get(self, keys: Collection[str]) -> dict[str, bytes]:
        """The results of keys; those without one are left out."""
        found: dict[str, bytes] = {}
        async for part in self.scan(keys):
            found.update(part)
        return found

    async def scan(self, keys: Collection[str]) -> AsyncIterator[dict[str, bytes]]:
        """The results of keys pack by pack, so that not all are in memory at once."""
        await self._look()
        for pack, wanted in self._by_pack(keys).items():
            records = await self._records(pack)
            yield {key: records[key] for key in wanted if key in records}

    async def discard(self, keys: Collection[str]) -> None:
        """Forget results: packs that hold them are written anew without them."""
        await self._look()
        unwanted = frozenset(keys)
        for pack in self._by_pack(unwanted):
            records = await self._records(pack)
            kept = [(key, value) for key, value in records.items() if key not in unwanted]
            if kept:
                await self._write(kept)
            await self._delete(pack)

    async def pack_keys(self) -> tuple[str, ...]:
        """The objects that hold the results."""
        await self._look()
        return tuple(self._packs)

    def _by_pack(self, keys: Iterable[str]) -> dict[str, list[str]]:
        needed: dict[str, list[str]] = {}
        for key in keys:
            pack = self._where.get(fingerprint(key))
            if pack is not None:
                needed.setdefault(pack, []).append(key)
        return needed

    async def _look(self) -> None:
        """Learn once which packs there are and what they hold."""
        async with self._looking:
            if self._looked:
                return
            for info in await self._objects.list(self.prefix):
                if info.key.endswith(PACK_SUFFIX) and info.key not in self._packs:
                    await self._learn(info)
            self._looked = True

    async def _learn(self, info: ObjectInfo) -> None:
        version = self._packs[info.key] = Version.of(info)
        held = PACKS.keys(info.key, version)
        if held is None:
            records = await self._records(info.key)
            held = PACKS.keys(info.key, version) or list(map(fingerprint, records))
        self._place(info.key, held)

    def _place(self, pack: str, held: Collection[bytes]) -> None:
        self._where.update(dict.fromkeys(held, pack))
        self._counts[pack] = len(held)

    async def _records(self, pack: str) -> Mapping[str, bytes]:
        """The records of a pack; none of one that is torn, or that a concurrent build merged away."""
        version = self._packs.get(pack)
        if version is None:
            return {}
        records = PACKS.records(pack, version)
        if records is None:
            try:
                records = await to_thread.run_sync(_decoded, pack, version, await self._objects.get(pack))
            except (TornPackError, FileNotFoundError) as error:
                if isinstance(error, TornPackError):
                    self.torn.append(pack)
                await self._delete(pack)
                return {}
        return records

    async def _write(self, group: list[Record]) -> str:
        data = await encoded_pack(group)
        pack = f"{self.prefix}{pack_name(data)}{PACK_SUFFIX}"
        await self._objects.put(pack, data)
        self._packs[pack] = version = Version.unseen(len(data))
        self._place(pack, PACKS.keep(pack, version, dict(group)))
        return pack

    async def _merge_small(self) -> None:
        small = [pack for pack, version in self._packs.items() if self._is_small(pack, version)]
        if len(small) < _MANY_SMALL:
            return
        merged: dict[str, bytes] = {}
        for pack in small:
            merged.update(await self._records(pack))
        written = [await self._write(group) for group in grouped(merged.items())]
        for pack in small:
            if pack not in written:
                await self._delete(pack)

    def _is_small(self, pack: str, version: Version) -> bool:
        return self._counts.get(pack, 0) < _SMALL_RECORDS and (version.size or 0) < _SMALL_BYTES

    async def _delete(self, pack: str) -> None:
        self._packs.pop(pack, None)
        self._counts.pop(pack, None)
        PACKS.forget(pack)
        self._where = {print_: where for print_, where in self._where.items() if where != pack}
        with contextlib.suppress(FileNotFoundError):
            await self._objects.delete(pack)


def _decoded(pack: str, version: Version, data: bytes) -> Mapping[str, bytes]:
    """The records of a pack's bytes; those that this process put are checked and need no decoding."""
    known = PACKS.seen(pack, version)
    if known is not None and pack.endswith(f"/{pack_name(data)}{PACK_SUFFIX}"):
        check_pack(data)
        return known
    records = decode_pack(data)
    PACKS.keep(pack, version, records)
    return records
