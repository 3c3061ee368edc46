"""``full_context``: recalls everything that was ever heard, in order. What a reader of the whole history could know."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from heams.memory.base import Memory, MemoryCapabilities, MemoryScope, MemorySystem, RecalledItem, RecallQuery
from heams.memory.stored_memory import StoredMemory


class FullContextConfig(BaseModel):
    """Recalls everything it heard, in order: an upper reference. Nothing to set."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["full_context"] = "full_context"


class FullContextMemory(StoredMemory):
    """The whole history for every query."""

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        """All items in order of hearing, without scores; under a limit the latest ones."""
        items = self._items.in_order()
        return items if query.limit is None else items[-query.limit :]


class FullContextSystem(MemorySystem):
    """Opens ``FullContextMemory``. Unranked, so recall@k says nothing about it."""

    capabilities = MemoryCapabilities(fork=True, forget=True, dump=True, persist=True, ranked=False, bound=True)

    async def open(self, scope: MemoryScope) -> Memory:
        """A new, empty memory."""
        return FullContextMemory(self.config)
