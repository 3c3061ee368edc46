"""What a library must be able to do to serve as a memory: the waist between ``LibraryMemory`` and each library."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue

from heams.memory.libraries.batches import Batch
from heams.scenarios.clock import Instant

if TYPE_CHECKING:
    from heta_framework.common.models.gateway import Seat


class LibraryError(RuntimeError):
    """A library says that it could not do its work."""


@dataclass(frozen=True, slots=True)
class Held:
    """An item as a library holds it. ``receipts`` lead to the events behind it (see ``Receipts``)."""

    id: str
    text: str
    receipts: tuple[str, ...]
    at: Instant | None = None
    score: float | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)


class Engine(ABC):
    """A library over the files of one folder. Only one of its methods runs at a time, within a seat's operation."""

    @abstractmethod
    async def add(self, batch: Batch) -> Collection[str]:
        """Hear one batch; return the receipts of what came of it."""

    @abstractmethod
    async def search(self, text: str, owner: str, limit: int) -> Sequence[Held]:
        """At most ``limit`` of the owner's items, best first."""

    @abstractmethod
    async def items(self, owners: Collection[str]) -> Sequence[Held]:
        """Everything that is held under these names, in any order."""

    @abstractmethod
    async def remove(self, ids: Sequence[str]) -> Collection[str]:
        """Delete these items, all of which ``items`` has shown; return the ids of those that are gone."""

    @abstractmethod
    async def save(self, folder: Path) -> None:
        """Write the state into ``folder``, which does not exist yet, so that an engine can be opened over it."""

    @abstractmethod
    async def close(self) -> None:
        """Release files and connections."""


OpenEngine = Callable[[Path, "Seat"], Awaitable[Engine]]
"""Opens a library over a folder that is new, or that ``Engine.save`` wrote."""
