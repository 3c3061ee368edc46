"""``notes``: the system that opens its memories."""

from functools import cached_property
from typing import TYPE_CHECKING

from anyio import to_thread

from heams.memory.base import Memory, MemoryScope, MemorySystem
from heams.memory.indexed_memory import SEARCHING
from heams.memory.notes.config import NotesMemoryConfig
from heams.memory.vector import load_embedding_model

if TYPE_CHECKING:
    from heams.memory.notes.keeper import NoteKeeper


class NotesMemorySystem(MemorySystem):
    """One model for all memories; what it consumes is counted where its calls are made."""

    capabilities = SEARCHING
    config: NotesMemoryConfig

    async def start(self) -> None:
        """Open the model and load the embedding.

        Raises:
            ModelSetupError: the model cannot be called as it is configured.
        """
        await to_thread.run_sync(load_embedding_model)
        _ = self._keeper

    async def open(self, scope: MemoryScope) -> Memory:
        """A new, empty memory."""
        from heams.memory.notes.memory import NotesMemory

        return NotesMemory(self.config, self._keeper)

    @cached_property
    def _keeper(self) -> "NoteKeeper":
        from heams.memory.notes.keeper import NoteKeeper
        from heta_framework.common.models.providers.chat import PathModel

        return NoteKeeper(self.config, PathModel(self.config.llm, role="memory"))
