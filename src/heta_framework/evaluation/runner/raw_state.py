"""What lies in the object store of a benchmark's raw documents already, so that nothing is written twice."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from heta_framework.common.stores.object.many import get_many
from heta_framework.common.stores.object.protocol import ObjectInfo

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol


class RawState:
    """The objects below a benchmark's folder as a listing shows them."""

    def __init__(self, objects: ObjectStoreProtocol, listed: Sequence[ObjectInfo]) -> None:
        self._objects = objects
        self._listed = {info.key: info for info in listed}

    @classmethod
    async def below(cls, objects: ObjectStoreProtocol, prefix: str) -> RawState:
        """What lies below a prefix."""
        return cls(objects, await objects.list(prefix))

    async def changed(self, pairs: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
        """Those whose object is not there or holds something else."""
        unsure = [(key, data) for key, data in pairs if self._may_be(key, data)]
        there = await get_many(self._objects, [key for key, _ in unsure])
        same = {key for (key, data), held in zip(unsure, there, strict=True) if held == data}
        return [(key, data) for key, data in pairs if key not in same and not self._is(key, data)]

    def _may_be(self, key: str, data: bytes) -> bool:
        info = self._listed.get(key)
        return info is not None and info.size in (None, len(data)) and not self._is(key, data)

    def _is(self, key: str, data: bytes) -> bool:
        """Whether the listing alone says that it is the same: of many stores the tag is the content's MD5."""
        info = self._listed.get(key)
        if info is None or info.size != len(data) or not info.etag:
            return False
        return info.etag.strip('"') == hashlib.md5(data, usedforsecurity=False).hexdigest()
