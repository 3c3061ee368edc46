"""Records as PostgreSQL's binary COPY wants them, and vectors as it sends them.

The formats: https://www.postgresql.org/docs/current/sql-copy.html (Binary Format), and pgvector's `vector_recv`: the
number of components and an unused field, 16 bits each, then big-endian float32.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

import numpy as np

from heta_framework.common.stores.storable import storable_metadata, storable_text
from heta_framework.common.stores.vector.checks import Rows
from heta_framework.common.stores.vector.types import VectorRecord

_HEADER = b"PGCOPY\n\xff\r\n\0" + struct.pack("!ii", 0, 0)
_TRAILER = struct.pack("!h", -1)
_NULL = struct.pack("!i", -1)
_JSONB_VERSION = b"\x01"


def copied(records: Sequence[VectorRecord], rows: Rows) -> Iterator[bytes]:
    """The rows (id, embedding, text, metadata) for COPY, some at a time.

    Raises:
        ValueError: metadata is not JSON-safe, or an id holds a NUL character, which PostgreSQL cannot store.
    """
    vectors = np.ascontiguousarray(rows, dtype=">f4")
    head = struct.pack("!hh", rows.shape[1], 0)
    yield _HEADER
    for record, vector in zip(records, vectors, strict=True):
        text = _NULL if record.text is None else _field(storable_text(record.text).encode())
        metadata = _field(_JSONB_VERSION + storable_metadata(record.id, record.metadata).encode())
        yield b"".join(
            (struct.pack("!h", 4), _field(_checked_id(record.id)), _field(head + vector.tobytes()), text, metadata)
        )
    yield _TRAILER


def vector_text(row: Rows) -> str:
    """A vector as a literal of type `vector`; float32 survives unchanged."""
    return f"[{','.join(map(repr, row.tolist()))}]"


def received(vectors: Sequence[bytes], dimension: int) -> Rows:
    """Vectors as `vector_send` gives them, as rows (n, dimension)."""
    content = b"".join(vector[4:] for vector in vectors)
    return np.frombuffer(content, dtype=">f4").astype(np.float32).reshape(-1, dimension)


def _field(content: bytes) -> bytes:
    return struct.pack("!i", len(content)) + content


def _checked_id(record_id: str) -> bytes:
    if "\0" in record_id:
        raise ValueError(f"record id {record_id!r} holds a NUL character, which PostgreSQL cannot store")
    return record_id.encode()
