"""``oracle``: is told which events a question is about and recalls exactly these. The upper bound of retrieval."""

from collections.abc import Collection, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from heams.memory.base import Memory, MemoryCapabilities, MemoryScope, MemorySystem, RecalledItem, RecallQuery
from heams.memory.stored_memory import StoredMemory


class OracleConfig(BaseModel):
    """Recalls exactly the gold evidence: the upper reference of retrieval. Nothing to set."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["oracle"] = "oracle"


class OracleMemory(StoredMemory):
    """The evidence for every query, as far as it was heard and is not forgotten."""

    def __init__(self, config: OracleConfig) -> None:
        super().__init__(config)
        self._evidence: tuple[str, ...] = ()

    async def reveal_gold(self, event_ids: Collection[str]) -> None:
        """Remember the evidence of the next queries, in place of what was revealed before."""
        self._evidence = tuple(event_ids)

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        """The items that are, or come from, the revealed events, in the order of the events.

        Events that were never heard have no items; without revealed evidence nothing is recalled.
        """
        keys = self._items.keys_behind(self._evidence)
        return [self._items[key] for key in keys[: query.limit]]


class OracleSystem(MemorySystem):
    """Opens ``OracleMemory``."""

    capabilities = MemoryCapabilities(fork=True, forget=True, dump=True, persist=True, needs_gold=True, bound=True)

    async def open(self, scope: MemoryScope) -> Memory:
        """A new, empty memory."""
        return OracleMemory(self.config)
