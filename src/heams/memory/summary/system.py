"""``summary``: the system that opens its memories."""

from functools import cached_property
from typing import TYPE_CHECKING

from heams.memory.base import Memory, MemoryCapabilities, MemoryScope, MemorySystem
from heams.memory.summary.config import SummaryMemoryConfig

if TYPE_CHECKING:
    from heams.memory.summary.writing import SummaryWriter


class SummaryMemorySystem(MemorySystem):
    """One model for all memories; what it consumes is counted where its calls are made.

    Nobody can say which events a summary came from, so it declares no provenance; and it orders by nothing.
    """

    capabilities = MemoryCapabilities(fork=True, forget=True, dump=True, persist=True, provenance=False, ranked=False)
    config: SummaryMemoryConfig

    async def start(self) -> None:
        """Open the model.

        Raises:
            ModelSetupError: it cannot be called as it is configured.
        """
        _ = self._writer

    async def open(self, scope: MemoryScope) -> Memory:
        """A new, empty memory."""
        from heams.memory.summary.memory import SummaryMemory

        return SummaryMemory(self.config, self._writer)

    @cached_property
    def _writer(self) -> "SummaryWriter":
        from heams.memory.summary.writing import SummaryWriter
        from heta_framework.common.models.language.opening import open_language_model

        return SummaryWriter(self.config, open_language_model(self.config.llm, role="memory"))
