"""``langmem``: LangChain's memory library over an in-memory store of LangGraph."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from heams.memory.libraries.engine import Engine
from heams.memory.libraries.library_system import LibraryMemorySystem
from heams.memory.libraries.settings import LibrarySettings

if TYPE_CHECKING:
    from heta_framework.common.models.gateway import Seat, SeatModels


class LangMemMemoryConfig(LibrarySettings):
    """langmem's memory store manager: a model writes, changes and deletes memories by tool calls.

    ``instructions`` replace langmem's own for the model. ``query_limit`` is the most memories that the model is shown
    beside a batch, ``max_steps`` how often it may go over them. ``enable_deletes``: whether it may delete.
    """

    type: Literal["langmem"] = "langmem"
    batch_events: int = Field(default=10, ge=1)
    instructions: str | None = None
    query_limit: int = Field(default=5, ge=4)
    max_steps: int = Field(default=1, ge=1)
    enable_deletes: bool = True


class LangMemMemorySystem(LibraryMemorySystem):
    """Opens a langmem manager with a store for each memory."""

    config: LangMemMemoryConfig
    distribution = "langmem"

    def _load(self) -> object:
        from heams.memory.libraries.langmem_library import load_langmem

        return load_langmem()

    def _models(self) -> "SeatModels":
        from heta_framework.common.models.gateway import SeatModels

        return SeatModels(self.config.llm, self.config.embedding, renumber_ids=True)

    async def _open_engine(self, folder: Path, seat: "Seat") -> Engine:
        from heams.memory.libraries.langmem_engine import LangMemEngine

        return LangMemEngine(self.config, folder, seat)
