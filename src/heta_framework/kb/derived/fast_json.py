"""JSON of records, by pydantic's Rust core: on records this small a multiple as fast as the standard library."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pydantic_core import PydanticSerializationError, from_json, to_json


def encode_json(value: Any) -> bytes:
    """The value as JSON in UTF-8; a lone surrogate, which UTF-8 cannot hold, becomes a question mark."""
    try:
        return to_json(value)
    except (PydanticSerializationError, UnicodeEncodeError):
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def decode_json(data: bytes) -> Any:
    """What `encode_json` encoded."""
    return from_json(data)


def decode_many(values: Iterable[bytes]) -> list[Any]:
    """The same of many, in their order; one call takes half as long as many."""
    decoded: list[Any] = from_json(b"[" + b",".join(values) + b"]")
    return decoded
