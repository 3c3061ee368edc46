"""Looks into a memory before and after what changes it, so that a step can say what it changed.

A look is taken when something is about to change the memory, never for a mere question, and costs the scenario
nothing that is measured: neither seconds nor usage. It cannot fail the scenario: what goes wrong is told with the step.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Protocol

from heams.memory.base import MemoryItem
from heams.scenarios.memory_difference import Look, MemoryChange, change_over, refuse_what_cannot_be_saved
from heams.scenarios.usage import UsageByRole, add_usage
from heams.scenarios.waiting import time_set_aside
from heta_framework.common.models.calls.scope import call_scope

LOOK_TIMEOUT_S = 10.0


class Shown(Protocol):
    """What can be looked into."""

    async def glance(self) -> Sequence[MemoryItem]: ...

    def size(self) -> int | None: ...


class MemoryWatch:
    """Watches the memory of one scenario, a step at a time.

    A memory of more than ``most`` items is not looked into. Where only a look could tell how many there are, and where
    a look failed, there is no further one. ``blind`` says from the beginning why nothing is looked into.
    """

    def __init__(self, shown: Shown, most: int, *, blind: str | None = None, timeout_s: float = LOOK_TIMEOUT_S) -> None:
        self._shown = shown
        self._most = most
        self._timeout_s = timeout_s
        self._blind = blind
        self._present: Look | None = None
        self._looks: list[Look] = []
        self._seconds = 0.0
        self._usage: list[UsageByRole] = []
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[None]:
        """The block may change the memory."""
        with time_set_aside():
            async with self._turn:  # an agent may call several tools at once; the first looks for all
                if not self._looks:
                    self._looks.append(await self._look())
        self._present = None
        try:
            yield
        finally:
            self._present = None

    async def look_between(self) -> None:
        """Inside such a block: what follows is told apart from what was before, though they may undo each other."""
        with time_set_aside():
            self._present = None
            self._looks.append(await self._look())
        self._present = None

    def saw(self, items: Sequence[MemoryItem]) -> None:
        """Somebody else had everything shown: that need not be done again."""
        if self._blind is None:
            self._present = self._within_limit(items)

    async def change(self) -> MemoryChange | None:
        """What the step that now ends has changed; None where nothing in it could change the memory."""
        if not self._looks:
            return None
        change = change_over([*self._looks, await self._look()])
        try:
            refuse_what_cannot_be_saved(change)
        except ValueError as cause:
            before, after = change.items_before, change.items_after
            change = MemoryChange(items_before=before, items_after=after, reason=f"an item holds {cause}")
        return self._ended(change)

    def unseen(self, reason: str) -> MemoryChange | None:
        """The same for a step after which there is nothing to look into."""
        if not self._looks:
            return None
        self._present = None
        return self._ended(MemoryChange(items_before=self._looks[0].count, reason=reason))

    def _ended(self, change: MemoryChange) -> MemoryChange:
        change.seconds, change.usage = self._seconds, add_usage(self._usage)
        self._looks, self._seconds, self._usage = [], 0.0, []
        return change

    async def _look(self) -> Look:
        if self._blind is not None:
            return Look(None, reason=self._blind)
        if self._present is None:
            began = perf_counter()
            with call_scope() as scope:
                self._present = await self._looked()
            self._seconds += perf_counter() - began
            self._usage.append(scope.usage)
        return self._present

    async def _looked(self) -> Look:
        try:
            held = self._shown.size()
            if held is not None and held > self._most:
                return Look(None, held, self._too_many(held))
            async with asyncio.timeout(self._timeout_s):
                return self._within_limit(list(await self._shown.glance()))
        except TimeoutError:
            self._blind = f"looking into the memory took more than {self._timeout_s:g} s"
        except Exception as cause:  # noqa: BLE001 - a memory may fail in any way, and looking is no part of a scenario
            self._blind = f"looking into the memory failed: {type(cause).__name__}: {cause}"
        return Look(None, reason=self._blind)

    def _within_limit(self, items: Sequence[MemoryItem]) -> Look:
        if len(items) <= self._most:
            return Look(items, len(items))
        if self._shown.size() is None:
            self._blind = self._too_many(len(items))
        return Look(None, len(items), self._too_many(len(items)))

    def _too_many(self, held: int) -> str:
        return f"the memory held {held} items, more than the {self._most} of memory_changes.max_items"
