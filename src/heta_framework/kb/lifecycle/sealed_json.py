"""JSON objects with a checksum of their own: a file that was cut or altered is recognised and never believed.

The first field is ``checksum``, the sha256 of the JSON text without it, so that other programs read the file as the
JSON that it is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

_START = b'{"checksum":"'
_BODY_AT = len(_START) + 64 + 1


class TornRecordError(ValueError):
    """The bytes are not a whole sealed record."""


def seal(payload: Mapping[str, Any]) -> bytes:
    """The payload as compact JSON with its checksum.

    Raises:
        ValueError: a value is NaN or infinite.
    """
    body = json.dumps(payload, separators=(",", ":"), allow_nan=False).encode()
    return _START + _digest(body) + b'"' + (b"," if payload else b"") + body[1:]


def unseal(data: bytes) -> dict[str, Any]:
    """What was sealed, without the checksum.

    Raises:
        TornRecordError: nobody sealed these bytes, or they were cut or altered since.
    """
    if not data.startswith(_START):
        raise TornRecordError("it is cut, or was written by another program: it has no checksum")
    body = b"{" + data[_BODY_AT:].removeprefix(b",")
    if data[len(_START) : _BODY_AT - 1] != _digest(body):
        raise TornRecordError("it is cut or altered: the checksum differs")
    payload: dict[str, Any] = json.loads(body)
    return payload


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()
