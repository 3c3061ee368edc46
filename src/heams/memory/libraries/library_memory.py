"""A memory kept by a library: batches, provenance by receipt, forgetting, forks and snapshots around an ``Engine``."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from anyio import to_thread

from heams.memory.base import (
    ForgetDemand,
    ForgetReceipt,
    Memory,
    MemoryEvent,
    MemoryItem,
    RecalledItem,
    RecallQuery,
)
from heams.memory.forgetting import describe_forgetting, keys_to_forget
from heams.memory.item_store import ItemStore
from heams.memory.items import without_score
from heams.memory.libraries.batches import batches
from heams.memory.libraries.engine import Engine, Held
from heams.memory.libraries.receipts import Receipts
from heams.memory.libraries.settings import LibrarySettings
from heams.memory.libraries.state import LibraryState
from heta_framework.common.stores.snapshot import SnapshotError, read_snapshot, write_snapshot

_KIND = "library_memory"
_RECEIPTS = "receipts.snapshot"
_STATE = "state"


class LibraryMemory(Memory):
    """A memory over a ``LibraryState``. ``new_folder`` names a folder that nobody has used; ``origin`` is what wrote
    snapshots: the library with its version, and the configuration."""

    def __init__(
        self, state: LibraryState, settings: LibrarySettings, origin: dict[str, Any], new_folder: Callable[[], Path]
    ) -> None:
        self._state = state
        self._settings = settings
        self._origin = origin
        self._new_folder = new_folder

    async def write(self, event: MemoryEvent) -> None:
        """Hear an event as a batch of its own."""
        await self.write_all([event])

    async def write_all(self, events: Sequence[MemoryEvent]) -> None:
        """Hear events in batches. After a failure the batches before it have been heard."""
        await self._part()
        async with self._state.turn() as engine:
            for batch in batches(events, self._settings.batch_events, self._settings.owner_of):
                self._state.receipts.note(batch, await engine.add(batch))

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        """What the library finds for the one who asks, best first; ``search_limit`` items where no limit is given."""
        if not query.text.strip():
            return []
        async with self._state.turn() as engine:
            owner, limit = self._settings.owner_of(query.principal), query.limit or self._settings.search_limit
            found = await engine.search(query.text, owner, limit)
            return [self._recalled(held) for held in found]

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        """Delete the items that the demand is about (see ``heams.memory.forgetting``), here and in no other fork."""
        await self._part()
        async with self._state.turn() as engine:
            held = await self._everything(engine)
            items = ItemStore({f"{number:012d}": self._recalled(one) for number, one in enumerate(held)})
            removed = [items[key] for key in keys_to_forget(items, demand)]
            if removed:
                gone = set(await engine.remove([item.id for item in removed]))
                self._state.receipts.drop(gone)
                removed = [item for item in removed if item.id in gone]
        return ForgetReceipt(removed=tuple(item.id for item in removed), note=describe_forgetting(removed, demand))

    async def dump(self) -> Sequence[MemoryItem]:
        """Everything the library holds, whoever said it."""
        async with self._state.turn() as engine:
            return [without_score(self._recalled(one)) for one in await self._everything(engine)]

    async def fork(self) -> Self:
        """A memory with the same state, which is copied when one of the two writes."""
        self._state.users += 1
        return type(self)(self._state, self._settings, self._origin, self._new_folder)

    async def persist(self, directory: Path) -> None:
        """Write the state into ``directory``; the file without which it does not count comes last."""
        (directory / _RECEIPTS).unlink(missing_ok=True)
        await to_thread.run_sync(lambda: shutil.rmtree(directory / _STATE, ignore_errors=True))
        async with self._state.turn() as engine:
            await engine.save(directory / _STATE)
            notes = self._state.receipts.to_json()
        write_snapshot(directory / _RECEIPTS, {"kind": _KIND, "origin": self._origin}, [notes])

    async def restore(self, directory: Path) -> None:
        """Replace the state by a persisted one.

        Raises:
            SnapshotError: there is none, it is cut or altered, or another version of the library or another
                configuration wrote it. The present state stays.
        """
        header, notes = read_snapshot(directory / _RECEIPTS, _KIND)
        if header["origin"] != self._origin:
            raise SnapshotError(f"{directory}: the state was written by {header['origin']}, expected {self._origin}")
        folder = self._new_folder()
        await to_thread.run_sync(lambda: shutil.copytree(directory / _STATE, folder))
        old, self._state = self._state, self._state.reopened(folder, Receipts.from_json(notes))
        await old.release()

    async def close(self) -> None:
        """Release the state; the last memory that shares it removes its files."""
        await self._state.release()

    async def _part(self) -> None:
        """Before a change: have a state that no other fork shares."""
        if self._state.users > 1:
            shared, self._state = self._state, await self._state.copied(self._new_folder())
            await shared.release()

    async def _everything(self, engine: Engine) -> list[Held]:
        """All items in the order of what they came from, whatever ids the library drew."""
        held = await engine.items(self._state.receipts.owners)
        first_place = self._state.receipts.first_place
        return sorted(held, key=lambda one: (first_place(one.receipts), one.text))

    def _recalled(self, held: Held) -> RecalledItem:
        return RecalledItem(
            id=held.id,
            text=held.text,
            event_ids=self._state.receipts.events_behind(held.receipts),
            at=held.at or self._state.receipts.time_behind(held.receipts),
            metadata=held.metadata,
            score=held.score,
        )
