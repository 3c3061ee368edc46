"""A memory system whose memories keep rules."""

from heams.memory.base import Memory, MemoryScope, MemorySystem
from heams.memory.governance.memory import GovernedMemory
from heams.memory.governance.policy import AccessPolicy, RetentionPolicy, ScreeningPolicy


class GovernedMemorySystem(MemorySystem):
    """Opens the memories of another system under rules."""

    def __init__(
        self,
        inner: MemorySystem,
        retention: RetentionPolicy | None,
        access: AccessPolicy | None,
        screening: ScreeningPolicy | None,
    ) -> None:
        super().__init__(inner.config)
        self._inner, self._retention, self._access, self._screening = inner, retention, access, screening
        self.capabilities = inner.capabilities.model_copy(update={"clock": retention is not None})
        self.remote = inner.remote

    async def start(self) -> None:
        """Start the system inside."""
        await self._inner.start()

    async def open(self, scope: MemoryScope) -> Memory:
        """A new, empty memory under rules."""
        return GovernedMemory(await self._inner.open(scope), self._retention, self._access, self._screening)

    async def close(self) -> None:
        """Close the system inside."""
        await self._inner.close()


def governed(
    system: MemorySystem,
    retention: RetentionPolicy | None,
    access: AccessPolicy | None,
    screening: ScreeningPolicy | None,
) -> MemorySystem:
    """The system under rules; itself where there are none."""
    if retention is None and access is None and screening is None:
        return system
    return GovernedMemorySystem(system, retention, access, screening)
