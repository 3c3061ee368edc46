"""What this process remembers of packs it has read, so that five recipes on one store read each of them once.

A pack's key holds the hash of its content, so what was read of it stays true; its version in the store (size, time,
tag) is compared all the same, so that a pack that was cut or altered afterwards is read anew and found out.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from heta_framework.common.stores.object.protocol import ObjectInfo

_T = TypeVar("_T")
_FINGERPRINT_BYTES = 16
_REMEMBERED_FINGERPRINTS = 16_384  # the steps of a build ask for the same keys' one after another
_RECORD_OVERHEAD = 150
_MOST_KEY_BYTES = 32 << 20
_MOST_RECORD_BYTES = 32 << 20


@lru_cache(_REMEMBERED_FINGERPRINTS)
def fingerprint(key: str) -> bytes:
    """16 bytes that stand for a key, so that the keys of some million results fit in memory."""
    return hashlib.blake2b(key.encode("utf-8", "backslashreplace"), digest_size=_FINGERPRINT_BYTES).digest()


@dataclass(frozen=True)
class Version:
    """Which state of an object was read."""

    size: int | None
    rest: object

    @classmethod
    def of(cls, info: ObjectInfo) -> Version:
        """As a listing shows it."""
        return cls(info.size, (info.modified_at, info.etag))

    @classmethod
    def unseen(cls, size: int) -> Version:
        """Of an object that was put and not yet listed; equal to no other."""
        return cls(size, _Unseen())

    @property
    def is_unseen(self) -> bool:
        """Whether no listing has shown it yet."""
        return isinstance(self.rest, _Unseen)


class _Unseen:
    """What stands for the time and tag that a put does not tell."""


class PackMemory:
    """Keys and records of packs, the least recently used forgotten first."""

    def __init__(self, most_key_bytes: int = _MOST_KEY_BYTES, most_record_bytes: int = _MOST_RECORD_BYTES) -> None:
        self._keys: _Lru[bytes] = _Lru(most_key_bytes)
        self._records: _Lru[Mapping[str, bytes]] = _Lru(most_record_bytes)
        self._put: dict[str, Version] = {}
        self._putting = threading.Lock()

    def keys(self, pack: str, version: Version) -> list[bytes] | None:
        """The fingerprints of a pack's keys; None where they are not known."""
        joined = self._keys.get((pack, version))
        if joined is None:
            return None
        return [joined[start : start + _FINGERPRINT_BYTES] for start in range(0, len(joined), _FINGERPRINT_BYTES)]

    def records(self, pack: str, version: Version) -> Mapping[str, bytes] | None:
        """A pack's records; None where they are not at hand."""
        return self._records.get((pack, version))

    @property
    def held_bytes(self) -> int:
        """How much is remembered, roughly."""
        return self._keys.size + self._records.size

    def keep(self, pack: str, version: Version, records: Mapping[str, bytes]) -> list[bytes]:
        """Remember what was read or written; the fingerprints of its keys."""
        prints = list(map(fingerprint, records))
        self._keys.put((pack, version), b"".join(prints), len(prints) * _FINGERPRINT_BYTES)
        size = sum(len(value) + _RECORD_OVERHEAD for value in records.values())
        self._records.put((pack, version), records, size)
        if version.is_unseen:
            with self._putting:
                self._put[pack] = version
        return prints

    def seen(self, pack: str, version: Version) -> Mapping[str, bytes] | None:
        """The records of a pack that this process put, from now on remembered under the version that a listing shows.

        None of any other pack. The caller makes sure that the bytes are those that were put.
        """
        if version.is_unseen:  # no listing was made since: what is remembered stays where it is
            return self.records(pack, version)
        with self._putting:
            put = self._put.pop(pack, None)
        if put is None:
            return None
        self._keys.move((pack, put), (pack, version))
        self._records.move((pack, put), (pack, version))
        return self._records.get((pack, version))

    def forget(self, prefix: str) -> None:
        """Let go of every pack whose key begins so."""
        self._keys.forget(prefix)
        self._records.forget(prefix)
        with self._putting:
            self._put = {pack: version for pack, version in self._put.items() if not pack.startswith(prefix)}


class _Lru(Generic[_T]):
    """Values up to a total size. Safe between threads: event loops of several may build at once."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held: OrderedDict[tuple[str, Version], tuple[_T, int]] = OrderedDict()
        self.size = 0
        self._lock = threading.Lock()

    def get(self, key: tuple[str, Version]) -> _T | None:
        with self._lock:
            if key not in self._held:
                return None
            self._held.move_to_end(key)
            return self._held[key][0]

    def forget(self, prefix: str) -> None:
        with self._lock:
            for key in [one for one in self._held if one[0].startswith(prefix)]:
                self.size -= self._held.pop(key)[1]

    def move(self, key: tuple[str, Version], to: tuple[str, Version]) -> None:
        with self._lock:
            if key in self._held:
                self.size -= self._held.pop(to, (None, 0))[1]
                self._held[to] = self._held.pop(key)

    def put(self, key: tuple[str, Version], value: _T, size: int) -> None:
        with self._lock:
            self.size += size - self._held.pop(key, (None, 0))[1]
            self._held[key] = (value, size)
            while self.size > self._most and len(self._held) > 1:
                self.size -= self._held.popitem(last=False)[1][1]


PACKS = PackMemory()
"""Of this process."""
