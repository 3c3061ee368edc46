"""An object store in memory that keeps the files of evaluations on the disk, so that a run can be resumed."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Sequence
from pathlib import Path

from heta_framework.common.stores.object.local import LocalObjectStore
from heta_framework.common.stores.object.memory import MemoryObjectStore
from heta_framework.common.stores.object.protocol import ObjectInfo
from heta_framework.kb.runtime import REPORTS_FOLDER, ROOT


class ReportsOnDisk(LocalObjectStore):
    """For recipes whose objects are in memory: knowledge bases go with the process, what was found in them does not."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._memory = MemoryObjectStore()

    def __repr__(self) -> str:
        return f"ReportsOnDisk({self._root!r})"

    async def put(self, key: str, data: bytes) -> None:
        """Store ``data`` under ``key``."""
        await (super().put(key, data) if _is_report(key) else self._memory.put(key, data))

    async def get(self, key: str) -> bytes:
        """The object under ``key``; FileNotFoundError where there is none."""
        return await (super().get(key) if _is_report(key) else self._memory.get(key))

    async def exists(self, key: str) -> bool:
        """Whether there is an object under exactly this key."""
        return await (super().exists(key) if _is_report(key) else self._memory.exists(key))

    async def list(self, prefix: str = "") -> builtins.list[ObjectInfo]:
        """Every object under ``prefix``, sorted by key."""
        found = [*await self._memory.list(prefix), *await super().list(prefix)]
        return sorted(found, key=lambda info: info.key)

    async def delete(self, key: str) -> None:
        """Remove the object under ``key``."""
        await (super().delete(key) if _is_report(key) else self._memory.delete(key))

    async def get_many(self, keys: Sequence[str]) -> builtins.list[bytes]:
        """The objects under these keys."""
        return [await self.get(key) for key in keys]

    async def put_many(self, objects: Iterable[tuple[str, bytes]]) -> None:
        """Store all these objects."""
        for key, data in objects:
            await self.put(key, data)

    async def delete_many(self, keys: Sequence[str]) -> None:
        """Remove the objects under these keys."""
        for key in keys:
            await self.delete(key)


def _is_report(key: str) -> bool:
    """Whether the key is of the form ``_heta/knowledge_bases/{knowledge base}/evaluations/...``."""
    parts = key.split("/", 4)
    return len(parts) == 5 and "/".join(parts[:2]) == ROOT and parts[3] == REPORTS_FOLDER
