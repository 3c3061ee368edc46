"""``mem0``: the library mem0ai, with qdrant and SQLite on local disk."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from heams.memory.libraries.engine import Engine
from heams.memory.libraries.library_system import LibraryMemorySystem
from heams.memory.libraries.settings import LibrarySettings

if TYPE_CHECKING:
    from heta_framework.common.models.gateway import Seat


class Mem0MemoryConfig(LibrarySettings):
    """mem0's ``Memory``: facts extracted by a model, found by meaning.

    ``infer`` off: events are kept as they are, without a language model. ``instructions`` are mem0's custom
    instructions for extraction. ``threshold`` is mem0's least similarity of an item that is found.
    ``unreadable_replies``: when mem0 cannot read what the model extracted, it keeps nothing; ``fail`` makes that an
    error of the write, ``skip`` leaves it at that.
    """

    type: Literal["mem0"] = "mem0"
    batch_events: int = Field(default=2, ge=1)
    infer: bool = True
    instructions: str | None = None
    threshold: float = Field(default=0.1, ge=0, le=1)
    unreadable_replies: Literal["fail", "skip"] = "fail"


class Mem0MemorySystem(LibraryMemorySystem):
    """Opens a mem0 instance for each memory."""

    config: Mem0MemoryConfig
    distribution = "mem0ai"

    def _load(self) -> object:
        from heams.memory.libraries.mem0_library import load_mem0

        return load_mem0()

    async def _open_engine(self, folder: Path, seat: "Seat") -> Engine:
        from heams.memory.libraries.mem0_engine import Mem0Engine
        from heams.memory.libraries.threads import in_thread

        return await in_thread(seat, partial(Mem0Engine, self.config, folder, seat))
