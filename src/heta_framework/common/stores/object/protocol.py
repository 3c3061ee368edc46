"""What an object store is: bytes under keys, whole or not at all."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable


@dataclass(frozen=True)
class ObjectInfo:
    """One object as a listing shows it: its key, its size in bytes, when it was last put, and a tag of its content."""

    key: str
    size: int | None = None
    modified_at: datetime | None = None
    etag: str | None = None


@runtime_checkable
class ObjectStoreProtocol(Protocol):
    """Bytes under keys.

    A key is a relative path with ``/`` between its segments (`check_key` has the rules); what is no key raises
    TypeError or ValueError. A put is atomic: a reader sees the object before it or the object after it, never a part.
    """

    async def put(self, key: str, data: bytes) -> None:
        """Store `data` under `key`, in place of what was there. Data that is not bytes raises TypeError."""
        ...

    async def get(self, key: str) -> bytes:
        """The object under `key`; FileNotFoundError where there is none."""
        ...

    async def exists(self, key: str) -> bool:
        """Whether there is an object under exactly this key."""
        ...

    async def list(self, prefix: str = "") -> builtins.list[ObjectInfo]:
        """Every object under `prefix` (``a`` holds ``a`` and ``a/b``, not ``ab``), sorted by key."""
        ...

    async def delete(self, key: str) -> None:
        """Remove the object under `key`; a key that is not there is passed over."""
        ...

    async def aclose(self) -> None:
        """Let go of what the store holds."""
        ...
