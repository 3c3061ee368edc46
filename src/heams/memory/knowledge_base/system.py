"""``knowledge_base``: the system that opens its memories."""

from __future__ import annotations

import os
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from anyio import to_thread

from heams.memory.base import Memory, MemoryCapabilities, MemoryScope, MemorySystem
from heams.memory.knowledge_base.config import KnowledgeBaseMemoryConfig
from heta_framework.common.config import ConfigError, mapping_document

if TYPE_CHECKING:
    from heta_framework.kb.components import KnowledgeModels


class KnowledgeBaseMemorySystem(MemorySystem):
    """One set of models for all memories; what they consume is counted where their calls are made.

    A memory whose stores are all its own (in memory, or in files below its folder) can fork and persist. What lies on a
    server cannot be copied, so such a memory says that it can do neither.
    """

    config: KnowledgeBaseMemoryConfig

    def __init__(self, config: KnowledgeBaseMemoryConfig) -> None:
        """Read the recipe, where that was not done before.

        Raises:
            ConfigError: it cannot be used.
        """
        self._recipe = config.recipe_settings
        super().__init__(config.model_copy(update={"recipe": self._recipe}))
        own = not self._recipe.stores.on_servers()
        self.capabilities = MemoryCapabilities(fork=own, forget=True, dump=True, persist=own)
        self.remote = not own
        self._models: KnowledgeModels | None = None
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    async def start(self) -> None:
        """Open the models and see whether the variables that stores name are set.

        Raises:
            ModelSetupError: a model cannot be called as it is configured.
            ConfigError: a variable is not set.
        """
        from heams.memory.vector import load_embedding_model
        from heta_framework.kb.recipe_file import open_models, unset_variables

        missing = list(unset_variables(mapping_document({}), self._recipe, os.environ))
        if missing:
            raise ConfigError(missing)
        self._models = open_models(self._recipe.models, role="memory")
        if self._recipe.models.embedding == "wordllama":
            await to_thread.run_sync(load_embedding_model)

    async def open(self, scope: MemoryScope) -> Memory:
        """A new, empty memory with all its files in the scope's directory."""
        from heams.memory.knowledge_base.memory import KnowledgeBaseMemory
        from heams.memory.knowledge_base.workshop import Workshop

        assert self._models is not None  # noqa: S101 - ``start`` comes first
        directory = scope.directory or self._own_directory()
        numbers = count(1)
        workshop = Workshop(self._recipe, self._models, lambda: directory / f"knowledge_base-{next(numbers)}")
        return KnowledgeBaseMemory(self.config, workshop)

    async def close(self) -> None:
        """Remove what memories without a directory of their own have left."""
        if self._temporary is not None:
            self._temporary.cleanup()

    def _own_directory(self) -> Path:
        if self._temporary is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="heams-memory-")
        return Path(tempfile.mkdtemp(dir=self._temporary.name))
