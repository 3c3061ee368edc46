"""What every vector store offers, whatever engine answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from heta_framework.common.stores.vector.types import (
    VectorCollectionConfig,
    VectorQuery,
    VectorRecord,
    VectorSearchResult,
)


@runtime_checkable
class VectorStoreProtocol(Protocol):
    """Named vector collections. A call on an unknown one raises ValueError that names it; dropping it does nothing."""

    async def create_collection(self, config: VectorCollectionConfig) -> None:
        """Make a collection; the same config again changes nothing, another dimension or metric raises ValueError."""
        ...

    async def drop_collection(self, name: str) -> None:
        """Remove a collection with all its records; an unknown one is passed over."""
        ...

    async def has_collection(self, name: str) -> bool:
        """Whether a collection exists."""
        ...

    async def upsert(self, collection: str, records: Sequence[VectorRecord]) -> None:
        """Add records or replace those of the same id.

        All of them, or none and ValueError that names the record: wrong dimension, a component that is not finite, an
        id that comes twice, a zero vector under cosine.
        """
        ...

    async def search(self, collection: str, query: VectorQuery) -> list[VectorSearchResult]:
        """Return the best hits, best first, equal scores in ascending order of id."""
        ...

    async def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove records; unknown ids are passed over."""
        ...

    async def count(self, collection: str) -> int:
        """How many records the collection holds."""
        ...

    async def aclose(self) -> None:
        """Release what the store holds; what was written stays where it was written."""
        ...
