"""A memory that keeps the items themselves: hears, forgets, shows, forks and persists them; recalling is left open."""

from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Self

from anyio import to_thread
from pydantic import BaseModel

from heams.memory.base import ForgetDemand, ForgetReceipt, Memory, MemoryEvent, MemoryItem, RecalledItem
from heams.memory.forgetting import describe_forgetting, keys_to_forget
from heams.memory.item_store import Hearing, ItemStore
from heams.memory.items import remembered, without_score

_SHORT_WORK = 128  # events that are heard in some milliseconds; more of them go to a worker thread


class StoredMemory(Memory):
    """The state is an ``ItemStore``; subclasses that keep more beside it override the ``_..._index`` methods."""

    def __init__(self, config: BaseModel) -> None:
        self._config = config
        self._items = ItemStore()

    async def write(self, event: MemoryEvent) -> None:
        """Hear an event; one with a known id replaces the older one and counts as heard now."""
        self._hear([event])

    async def write_all(self, events: Sequence[MemoryEvent]) -> None:
        """Hear events in order, to the same effect as one after another."""
        if len(events) <= _SHORT_WORK:
            self._hear(events)
        else:
            await to_thread.run_sync(self._hear, events)

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        """Forget the items that the demand is about (see ``heams.memory.forgetting``), here and in no other fork."""
        keys = keys_to_forget(self._items, demand)
        removed = [self._items[key] for key in keys]
        self._drop(keys)
        return ForgetReceipt(removed=tuple(item.id for item in removed), note=describe_forgetting(removed, demand))

    async def dump(self) -> Sequence[MemoryItem]:
        """All items in order of hearing."""
        return [without_score(item) for item in self._items.in_order()]

    async def glance(self) -> Sequence[MemoryItem]:
        """The items themselves."""
        return self._items.in_order()

    def size(self) -> int:
        """How many items there are."""
        return len(self._items)

    async def fork(self) -> Self:
        """A memory with the same state; it costs next to nothing until one of the two is written to."""
        twin = copy(self)
        twin._items = self._items.fork()
        twin._fork_index()
        return twin

    async def persist(self, directory: Path) -> None:
        """Write the state into ``directory``.

        The file of the items goes first and comes last: without it a folder holds no state, so what was cut short is
        never restored.
        """
        await to_thread.run_sync(self._persist, directory)

    async def restore(self, directory: Path) -> None:
        """Replace the state by a persisted one; it recalls exactly what the persisted memory recalled.

        Raises:
            SnapshotError: there is no state, it is cut or altered, or another configuration wrote it. The present
                state stays.
        """
        await to_thread.run_sync(self._restore, directory)

    def _hear(self, events: Sequence[MemoryEvent]) -> None:
        self._keep([remembered(event) for event in events])

    def _keep(self, items: Sequence[RecalledItem]) -> None:
        """Hold items; one with a known id replaces the older one."""
        hearing = self._items.hearing(items)
        self._add_to_index(hearing)
        self._items.apply(hearing)

    def _drop(self, keys: Sequence[str]) -> None:
        if keys:
            self._remove_from_index(keys)
            self._items.remove(keys)

    def _persist(self, directory: Path) -> None:
        from heams.memory.item_snapshot import discard_items, save_items

        discard_items(directory)
        self._save_index(directory)
        save_items(directory, self._items, self._config)

    def _restore(self, directory: Path) -> None:
        from heams.memory.item_snapshot import load_items

        items = load_items(directory, self._config)
        self._load_index(directory)
        self._items = items

    def _add_to_index(self, hearing: Hearing) -> None:
        """Take in what was heard, before the items are."""

    def _remove_from_index(self, keys: Sequence[str]) -> None:
        """Drop what is forgotten."""

    def _fork_index(self) -> None:
        """Part from the original, whose attributes this fork shares."""

    def _save_index(self, directory: Path) -> None:
        """Write what is kept beside the items."""

    def _load_index(self, directory: Path) -> None:
        """Replace what is kept beside the items, all of it or, on an error, nothing."""
