"""A pack: many small records in one object, with a checksum over all of it.

Layout: magic, a line of JSON {"keys": [...], "sizes": [...]}, the records' bytes compressed with zstandard, and the
sha256 of everything before it. A pack that was cut or altered is recognised and never half read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import zstandard

from heta_framework.kb.derived.fast_json import decode_json, encode_json

_MAGIC = b"HETAPACK2\n"
_DIGEST_BYTES = hashlib.sha256().digest_size


class TornPackError(ValueError):
    """The bytes are not a whole pack."""


def encode_pack(records: Mapping[str, bytes] | Iterable[tuple[str, bytes]]) -> bytes:
    """The records, in their order, as one object."""
    pairs = list(records.items() if isinstance(records, Mapping) else records)
    header = encode_json({"keys": [key for key, _ in pairs], "sizes": [len(value) for _, value in pairs]})
    payload = zstandard.ZstdCompressor(level=1).compress(b"".join(value for _, value in pairs))
    body = _MAGIC + header + b"\n" + payload
    return body + hashlib.sha256(body).digest()


def check_pack(data: bytes) -> memoryview:
    """The pack without its checksum.

    Raises:
        TornPackError: it was cut or altered, or is something else.
    """
    body, digest = memoryview(data)[:-_DIGEST_BYTES], data[-_DIGEST_BYTES:]
    if not data.startswith(_MAGIC) or hashlib.sha256(body).digest() != digest:
        raise TornPackError("the pack is cut or altered (checksum differs)")
    return body


def decode_pack(data: bytes) -> dict[str, bytes]:
    """The records of a pack by key, in their order.

    Raises:
        TornPackError: it was cut or altered, or is something else.
    """
    body = check_pack(data)
    end = data.index(b"\n", len(_MAGIC))
    content = zstandard.ZstdDecompressor().decompress(body[end + 1 :])
    records: dict[str, bytes] = {}
    start = 0
    described = decode_json(data[len(_MAGIC) : end])
    for key, size in zip(described["keys"], described["sizes"], strict=True):
        records[key] = content[start : start + size]
        start += size
    return records
