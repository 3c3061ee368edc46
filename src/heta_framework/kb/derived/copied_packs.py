"""Packs of one knowledge base copied to another, if their content is still what they are called after."""

from __future__ import annotations

from collections.abc import Sequence

from anyio import to_thread

from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.kb.derived.pack import TornPackError, check_pack
from heta_framework.kb.derived.packs import PACK_SUFFIX, pack_name


async def copied_packs(objects: ObjectStoreProtocol, keys: Sequence[str], prefix: str) -> tuple[str, ...] | None:
    """The packs again below ``prefix`` (which ends with ``/``), under new keys; None where one is gone or damaged."""
    copied: list[str] = []
    for key in keys:
        own = await _copied(objects, key, prefix)
        if own is None:
            return None
        copied.append(own)
    return tuple(copied)


def content_name(key: str) -> str:
    """What a pack is called after its content."""
    return key.rpartition("/")[2].removesuffix(PACK_SUFFIX)


async def _copied(objects: ObjectStoreProtocol, key: str, prefix: str) -> str | None:
    try:
        data = await objects.get(key)
        await to_thread.run_sync(check_pack, data)
    except (FileNotFoundError, TornPackError):
        return None
    if not pack_name(data).startswith(content_name(key)):
        return None
    own = f"{prefix}{key.rpartition('/')[2]}"
    if own != key:
        await objects.put(own, data)
    return own
