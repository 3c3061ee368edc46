"""One hash over raw documents, so that a build that is taken up again finds out whether they are still the same."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from heta_framework.kb.parsing.raw_documents import RawDocument


class RawDigest:
    """The hash of keys and contents, batch by batch in their order."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    @property
    def value(self) -> str:
        """The hash of what was added so far, in hex."""
        return self._hash.hexdigest()

    def add(self, batch: Sequence[RawDocument]) -> None:
        """Take in documents by their keys and the hashes of their contents."""
        for raw in batch:
            key = raw.document.key.encode("utf-8", "surrogatepass")
            self._hash.update(len(key).to_bytes(8, "big") + key + raw.content_sha256.encode())
