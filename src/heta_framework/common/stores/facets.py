"""Metadata as words that a server can look up: equal (==) values of a key, and only these, give the same word.

Servers compare numbers, booleans and nested values each in their own way; a word is a word everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

_quoted = json.encoder.encode_basestring_ascii
_encode = json.JSONEncoder(sort_keys=True).encode
_BYTES = 12  # 96 bits: two words out of a billion are the same by chance once in 10^11 cases


def facets(metadata: Mapping[str, Any]) -> list[str]:
    """One word of 24 hexadecimal digits for each key with its value; values must be JSON-safe."""
    return [_facet(key, value) for key, value in metadata.items()]


def _facet(key: str, value: Any) -> str:
    return blake2b(f"[{_quoted(str(key))}, {_written(value)}]".encode(), digest_size=_BYTES).hexdigest()


def _written(value: Any) -> str:
    """JSON; the plain cases by a short way, for an index has a dozen of them a record."""
    if type(value) is str:
        return _quoted(value)
    return str(value) if type(value) is int else _encode(_canonical(value))


def _canonical(value: Any) -> Any:
    """The same for all values that Python finds equal: 1, 1.0 and True; [..] whatever it holds."""
    if isinstance(value, (bool, int, float)):
        return int(value) if value == value and abs(value) != float("inf") and int(value) == value else value
    if isinstance(value, (list, tuple)):
        return [_canonical(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _canonical(item) for key, item in value.items()}
    return value
