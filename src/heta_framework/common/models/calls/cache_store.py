"""Replies of models in one SQLite file, found by the key of their call. One object serves one thread at a time."""

import json
import time
from collections.abc import Mapping
from pathlib import Path

import zstandard

from heta_framework.common.models.calls.cache_file import connect
from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.calls.stored_reply import reply_fields, reply_from

_INSERT = "INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)"
_SAVED_LEVEL = 3


class DamagedReply(ValueError):  # noqa: N818 - reads as what was found
    """A stored reply that cannot be read."""


class CacheStore:
    """A connection to the cache.

    Every method may raise ``sqlite3.Error``: the file is locked, full, read-only, damaged.
    """

    def __init__(self, file: Path) -> None:
        self._connection = connect(file)
        self._packer = zstandard.ZstdCompressor(level=_SAVED_LEVEL, write_checksum=True)
        self._unpacker = zstandard.ZstdDecompressor()

    def get(self, key: str) -> ModelReply | None:
        """The reply to the call with this key.

        Raises:
            DamagedReply: there is one that cannot be read.
        """
        row = self._connection.execute("SELECT body FROM replies WHERE key = ?", (bytes.fromhex(key),)).fetchone()
        if row is None:
            return None
        try:
            return reply_from(json.loads(self._unpacker.decompress(row[0])), "cache")
        except (zstandard.ZstdError, ValueError, AttributeError, TypeError) as error:
            raise DamagedReply(str(error)) from error

    def put(self, call: ModelCall, reply: ModelReply) -> None:
        """Keep a reply. Where another process was faster, its reply stays."""
        now = time.time()
        body = self._packer.compress(json.dumps(reply_fields(reply), separators=(",", ":")).encode("ascii"))
        counts = (reply.input_tokens, reply.output_tokens)
        self._connection.execute(_INSERT, (bytes.fromhex(call.key), call.kind, call.model, body, *counts, now, now))

    def discard(self, key: str) -> None:
        """Forget the reply to the call with this key."""
        self._connection.execute("DELETE FROM replies WHERE key = ?", (bytes.fromhex(key),))

    def add_hits(self, hits: Mapping[str, int]) -> None:
        """Count how often stored replies were given out."""
        now = time.time()
        rows = [(count, now, bytes.fromhex(key)) for key, count in hits.items()]
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")  # waiting for the lock is what the timeout covers
            self._connection.executemany("UPDATE replies SET hits = hits + ?, used = ? WHERE key = ?", rows)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
