"""``facts``: the system that opens its memories."""

from functools import cached_property
from typing import TYPE_CHECKING

from anyio import to_thread

from heams.memory.base import Memory, MemoryScope, MemorySystem
from heams.memory.facts.config import FactsMemoryConfig
from heams.memory.hybrid import HybridMemoryConfig, open_fused_index
from heams.memory.indexed_memory import SEARCHING
from heams.memory.vector import load_embedding_model

if TYPE_CHECKING:
    from heta_framework.common.models.language.protocol import LanguageModelProtocol


class FactsMemorySystem(MemorySystem):
    """One model for all memories; what it consumes is counted where its calls are made."""

    capabilities = SEARCHING
    config: FactsMemoryConfig

    async def start(self) -> None:
        """Open the model and load the embedding.

        Raises:
            ModelSetupError: the model cannot be called as it is configured.
        """
        await to_thread.run_sync(load_embedding_model)
        _ = self._model

    async def open(self, scope: MemoryScope) -> Memory:
        """A new, empty memory."""
        from heams.memory.facts.memory import FactsMemory
        from heams.memory.facts.store import FactStore

        index = open_fused_index(HybridMemoryConfig(model=self.config.embedding))
        return FactsMemory(self.config, self._model, FactStore(self.config, *index))

    @cached_property
    def _model(self) -> "LanguageModelProtocol":
        from heta_framework.common.models.language.opening import open_language_model

        return open_language_model(self.config.llm, role="memory")
