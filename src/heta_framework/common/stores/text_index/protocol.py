"""What every full-text index offers, whatever engine answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from heta_framework.common.stores.text_index.types import TextIndexConfig, TextIndexRecord, TextQuery, TextSearchResult


@runtime_checkable
class TextIndexStoreProtocol(Protocol):
    """Named full-text indexes. A call on an unknown index raises ValueError that names it; dropping it does nothing."""

    async def create_index(self, config: TextIndexConfig) -> None:
        """Make an index; the same config again changes nothing, another one under a known name raises ValueError."""
        ...

    async def drop_index(self, name: str) -> None:
        """Remove an index with all its records; an unknown one is passed over."""
        ...

    async def upsert(self, index: str, records: Sequence[TextIndexRecord]) -> None:
        """Add records or replace those of the same id; all of them or, on ValueError (an id twice), none."""
        ...

    async def search(self, index: str, query: TextQuery) -> list[TextSearchResult]:
        """Return the best hits, best first, equal scores in ascending order of id."""
        ...

    async def delete(self, index: str, ids: Sequence[str]) -> None:
        """Remove records; unknown ids are passed over."""
        ...

    async def count(self, index: str) -> int:
        """How many records the index holds."""
        ...

    async def aclose(self) -> None:
        """Release what the store holds; what was written stays where it was written."""
        ...
