"""Objects from one store to another."""

from __future__ import annotations

from heta_framework.common.stores.object.many import get_many, put_many
from heta_framework.common.stores.object.protocol import ObjectStoreProtocol

_AT_ONCE = 500


async def copy_objects(source: ObjectStoreProtocol, target: ObjectStoreProtocol) -> None:
    """Put every object of ``source`` into ``target``, under the same key."""
    keys = [info.key for info in await source.list()]
    for start in range(0, len(keys), _AT_ONCE):
        some = keys[start : start + _AT_ONCE]
        await put_many(target, zip(some, await get_many(source, some), strict=True))
