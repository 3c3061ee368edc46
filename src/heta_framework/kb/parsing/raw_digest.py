"""One hash over raw documents, so that a build that is taken up again finds out whether they are still the same."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from anyio import to_thread

from heta_framework.kb.parsing.raw_documents import RawDocument


class RawDigest:
    """The hash of keys and contents, batch by batch in their order."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    @property
    def value(self) -> str:
        """The hash of what was added so far, in hex."""
        return self._hash.hexdigest()

    async def add(self, batch: Sequence[RawDocument]) -> None:
        """Take in documents, in a worker thread."""
        await to_thread.run_sync(self._add, batch)

    def _add(self, batch: Sequence[RawDocument]) -> None:
        for raw in batch:
            for part in (raw.document.key.encode("utf-8", "surrogatepass"), raw.data):
                self._hash.update(len(part).to_bytes(8, "big") + hashlib.sha256(part).digest())
