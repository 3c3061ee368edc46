"""Hashes over what a run is made of, so that a run that is taken up again finds out whether it is the same."""

from __future__ import annotations

import hashlib
from typing import Any

from pydantic_core import to_json

_AT_ONCE = 64


class Digest:
    """A count and a hash over things in their order."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._waiting: list[tuple[object, ...]] = []
        self._hashed = 0

    def add(self, *values: object) -> None:
        """Take in one thing with its values."""
        self._waiting.append(values)
        if len(self._waiting) == _AT_ONCE:
            self._hash_waiting()

    def to_dict(self) -> dict[str, Any]:
        """``count`` and ``sha256``, in hex; nothing more is added then."""
        self._hash_waiting()
        return {"count": self._hashed, "sha256": self._hash.hexdigest()}

    def _hash_waiting(self) -> None:
        data = digestible(self._waiting)
        self._hash.update(len(data).to_bytes(8, "big") + data)
        self._hashed += len(self._waiting)
        self._waiting.clear()


def digestible(value: object) -> bytes:
    """The value as bytes: its JSON; what JSON cannot hold counts by its type."""
    try:
        return to_json(value, fallback=_type_name, bytes_mode="base64", inf_nan_mode="strings")
    except ValueError:  # a lone surrogate, or a value that holds itself
        return repr(value).encode("utf-8", "backslashreplace")


def _type_name(value: object) -> str:
    return type(value).__qualname__
