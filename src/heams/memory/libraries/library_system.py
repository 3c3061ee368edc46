"""A memory system over a library: the gateway for its calls, and a folder for each memory."""

import tempfile
from abc import abstractmethod
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from heams.memory.base import Memory, MemoryCapabilities, MemoryScope, MemorySystem
from heams.memory.libraries.engine import Engine
from heams.memory.libraries.extras import named_version
from heams.memory.libraries.settings import LibrarySettings

if TYPE_CHECKING:
    from heta_framework.common.models.gateway import Gateway, Seat, SeatModels


class LibraryMemorySystem(MemorySystem):
    """Opens ``LibraryMemory`` objects; subclasses say how their library is loaded and opened."""

    capabilities = MemoryCapabilities(fork=True, forget=True, dump=True, persist=True)
    config: LibrarySettings
    distribution: str
    """The library's name on the package index."""

    def __init__(self, config: LibrarySettings) -> None:
        super().__init__(config)
        self._gateway: Gateway | None = None
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    async def start(self) -> None:
        """Load the library, start the gateway, and see whether the models can be called.

        Raises:
            ModelSetupError: the extra is not installed, or a model has no key.
        """
        from heta_framework.common.models.gateway import Gateway

        await to_thread.run_sync(self._load)
        self._gateway = await Gateway().start()
        self._gateway.leave(self._gateway.seat(self._models()))

    async def open(self, scope: MemoryScope) -> Memory:
        """A new, empty memory with all its files in the scope's directory."""
        from heams.memory.libraries.library_memory import LibraryMemory
        from heams.memory.libraries.receipts import Receipts
        from heams.memory.libraries.state import LibraryState

        assert self._gateway is not None  # noqa: S101 - ``start`` comes first
        directory = scope.directory or self._own_directory()
        directory.mkdir(parents=True, exist_ok=True)
        numbers = count(1)

        def new_folder() -> Path:
            return directory / f"{self.config_type}-{next(numbers)}"

        state = LibraryState(new_folder(), self._gateway, self._models(), self._open_engine, Receipts())
        origin = {"library": named_version(self.distribution), "config": self.config.model_dump(mode="json")}
        return LibraryMemory(state, self.config, origin, new_folder)

    async def close(self) -> None:
        """Stop the gateway."""
        if self._gateway is not None:
            await self._gateway.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    @property
    def config_type(self) -> str:
        """The ``type`` of the configuration."""
        return str(self.config.model_dump()["type"])

    def _models(self) -> "SeatModels":
        from heta_framework.common.models.gateway import SeatModels

        return SeatModels(self.config.llm, self.config.embedding)

    @abstractmethod
    def _load(self) -> Any:
        """Import the library."""

    @abstractmethod
    async def _open_engine(self, folder: Path, seat: "Seat") -> Engine:
        """The library over ``folder``."""

    def _own_directory(self) -> Path:
        if self._temporary is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="heams-memory-")
        return Path(tempfile.mkdtemp(dir=self._temporary.name))
