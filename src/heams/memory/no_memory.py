"""``no_memory``: hears everything and remembers nothing. The lower bound of every comparison."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from heams.memory.base import (
    ForgetDemand,
    ForgetReceipt,
    Memory,
    MemoryCapabilities,
    MemoryEvent,
    MemoryItem,
    MemoryScope,
    MemorySystem,
    RecalledItem,
    RecallQuery,
)


class NoMemoryConfig(BaseModel):
    """Remembers nothing: the lower reference. Nothing to set."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["no_memory"] = "no_memory"


class NoMemory(Memory):
    """The empty memory. It has no state, so one object serves all scopes and forks."""

    async def write(self, event: MemoryEvent) -> None:
        """Let it pass."""

    async def write_all(self, events: Sequence[MemoryEvent]) -> None:
        """Let them pass."""

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        """Nothing."""
        return ()

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        """A receipt for nothing."""
        return ForgetReceipt(note="nothing is ever remembered")

    async def dump(self) -> Sequence[MemoryItem]:
        """Nothing."""
        return ()

    def size(self) -> int:
        """No item."""
        return 0

    async def fork(self) -> Memory:
        """This memory itself."""
        return self

    async def persist(self, directory: Path) -> None:
        """Write nothing."""

    async def restore(self, directory: Path) -> None:
        """Read nothing."""


class NoMemorySystem(MemorySystem):
    """Opens ``NoMemory``."""

    capabilities = MemoryCapabilities(fork=True, forget=True, dump=True, persist=True, bound=True)

    async def open(self, scope: MemoryScope) -> Memory:
        """The empty memory."""
        return NoMemory()
