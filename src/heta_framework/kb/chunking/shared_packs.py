"""Chunk packs that another knowledge base has already written of the very same documents.

A listing pack is called after its content, and the chunks of its documents follow from that and from how they are
split. So a recipe that begins like one before it copies that one's chunk packs instead of making them; where they are
gone or damaged by now, it makes them.
"""

from __future__ import annotations

from typing import NamedTuple

from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.kb.derived.copied_packs import content_name, copied_packs
from heta_framework.kb.derived.fast_json import decode_json, encode_json
from heta_framework.kb.derived.step_cache import StepCache


class ChunkPacks(NamedTuple):
    """The packs of one listing pack's documents.

    Attributes:
        keys: in order.
        documents, chunks: how many they are of, and hold.
    """

    keys: tuple[str, ...]
    documents: int
    chunks: int


class SharedChunkPacks:
    """Finds such packs, and says where this knowledge base's own are."""

    def __init__(self, objects: ObjectStoreProtocol, cache: StepCache, prefix: str) -> None:
        """Start.

        Args:
            cache: notes where packs are; belongs to one way of splitting.
            prefix: where this knowledge base's packs go.
        """
        self._objects = objects
        self._cache = cache
        self._prefix = prefix
        self._made: dict[str, bytes] = {}

    async def copied(self, listing_key: str) -> ChunkPacks | None:
        """Packs copied to this knowledge base; None where there are none to copy."""
        name = content_name(listing_key)
        note = (await self._cache.get([name])).get(name)
        if note is None:
            return None
        found = ChunkPacks(*decode_json(note))
        keys = await copied_packs(self._objects, found.keys, self._prefix)
        if keys is None:
            await self._cache.discard([name])
            return None
        return found._replace(keys=keys)

    def made(self, listing_key: str, packs: ChunkPacks) -> None:
        """Note packs that were made, for others; see `close`."""
        self._made[content_name(listing_key)] = encode_json(packs)

    async def close(self) -> None:
        """Write the notes."""
        if self._made:
            await self._cache.put(self._made)
