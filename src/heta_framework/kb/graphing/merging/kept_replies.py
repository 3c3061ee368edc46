"""Replies about what is the same, kept for the next update; those that it no longer needs are forgotten.

They quote what documents say, so unlike other results they belong to one knowledge base.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from heta_framework.kb.derived.packs import read_own_pack

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
    from heta_framework.kb.derived.step_cache import StepCache


class KeptReplies:
    """Replies by a hash of what was asked."""

    def __init__(self, objects: ObjectStoreProtocol, cache: StepCache) -> None:
        self._objects = objects
        self._cache = cache
        self._used: set[str] = set()

    async def get(self, key: str) -> dict[str, Any] | None:
        """The reply, or None."""
        found = (await self._cache.get([key])).get(key)
        self._used.add(key)
        return None if found is None else dict(json.loads(found))

    async def keep(self, key: str, reply: dict[str, Any]) -> None:
        """Keep a reply; durable when this returns: it was paid for."""
        self._used.add(key)
        await self._cache.put({key: json.dumps(reply).encode()})

    async def forget_unused(self) -> None:
        """Forget the replies that were neither asked for nor kept since this was made."""
        held: set[str] = set()
        for pack in await self._cache.pack_keys():
            held |= (await read_own_pack(self._objects, pack)).keys()
        await self._cache.discard(held - self._used)
