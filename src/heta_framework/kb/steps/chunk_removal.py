"""Takes the chunks of removed documents out of a knowledge base's packs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.kb.derived.fast_json import decode_json, encode_json
from heta_framework.kb.derived.packs import packs_without

_FEW = 20


async def chunk_packs_without(
    objects: ObjectStoreProtocol, prefix: str, keys: Sequence[str], document_ids: Collection[str]
) -> tuple[tuple[str, ...], frozenset[str]]:
    """The packs without the chunks of these documents, and the ids of those chunks."""
    if not document_ids:
        return tuple(keys), frozenset()
    ids = frozenset(document_ids)
    written = [encode_json(document_id) for document_id in ids]

    def is_going(_: str, value: bytes) -> bool:
        may_be = len(written) > _FEW or any(one in value for one in written)  # decoding takes 20 times as long
        return may_be and decode_json(value)["document_id"] in ids

    kept, dropped = await packs_without(objects, prefix, keys, is_going)
    return kept, frozenset(chunk_id for chunk_id, _ in dropped)
