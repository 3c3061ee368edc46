"""Objects in the memory of this process: for tests, and for knowledge bases that need not outlive it."""

from __future__ import annotations

import builtins
from datetime import UTC, datetime

from heta_framework.common.stores.object.keys import check_data, check_key, check_prefix, shown
from heta_framework.common.stores.object.protocol import ObjectInfo


class MemoryObjectStore:
    """An object store that forgets everything with its process."""

    def __init__(self) -> None:
        self._objects: dict[str, tuple[bytes, ObjectInfo]] = {}
        self._puts = 0

    def __repr__(self) -> str:
        return f"MemoryObjectStore({len(self._objects)} objects)"

    async def put(self, key: str, data: bytes) -> None:
        """Store `data` under `key`, in place of what was there."""
        check_key(key)
        check_data(data)
        self._puts += 1
        info = ObjectInfo(key, size=len(data), modified_at=datetime.now(UTC), etag=f"{self._puts:x}-{len(data):x}")
        self._objects[key] = (data, info)

    async def get(self, key: str) -> bytes:
        """The object under `key`; FileNotFoundError where there is none."""
        try:
            return self._objects[check_key(key)][0]
        except KeyError:
            raise FileNotFoundError(f"there is no object {shown(key)} in this store") from None

    async def exists(self, key: str) -> bool:
        """Whether there is an object under exactly this key."""
        return check_key(key) in self._objects

    async def list(self, prefix: str = "") -> builtins.list[ObjectInfo]:
        """Every object under `prefix` (``a`` holds ``a`` and ``a/b``, not ``ab``), sorted by key."""
        stem = check_prefix(prefix)
        below = f"{stem}/" if stem else ""
        exact = stem if not prefix.endswith("/") else None
        return sorted(
            (info for key, (_, info) in tuple(self._objects.items()) if key.startswith(below) or key == exact),
            key=lambda info: info.key,
        )

    async def delete(self, key: str) -> None:
        """Remove the object under `key`; a key that is not there is passed over."""
        self._objects.pop(check_key(key), None)

    async def aclose(self) -> None:
        """Nothing is held but memory, and that stays usable."""
