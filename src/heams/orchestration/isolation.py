"""How scenarios that share a history are kept apart: by forks, by refusing writes, or by hearing it again."""

from collections.abc import Collection, Sequence
from typing import NoReturn

from heams.memory.base import (
    ForgetDemand,
    ForgetReceipt,
    Memory,
    MemoryEvent,
    MemoryItem,
    RecalledItem,
    RecallQuery,
    UnsupportedOperation,
)
from heams.orchestration.errors import RunRefused
from heams.orchestration.results import Isolation
from heams.orchestration.run_file import ExperimentSettings


def choose_isolation(settings: ExperimentSettings, *, can_fork: bool, can_share: bool, events: int) -> Isolation:
    """The isolation for a history of ``events`` events.

    ``can_share``: the state may be read by several scenarios at once (a memory; not an agent that owns its memory).

    Raises:
        RunRefused: the isolation that was asked for, or the only one possible, cannot be had.
    """
    wanted = settings.isolation
    if wanted == "auto":
        wanted = "fork" if can_fork else "read_only" if can_share else "rebuild"
    if wanted == "fork" and not can_fork:
        raise RunRefused("isolation 'fork' was asked for, but this component cannot fork; use 'read_only' or 'rebuild'")
    if wanted == "read_only" and not can_share:
        raise RunRefused("an agent that owns its memory cannot be played 'read_only'; let it fork, or use 'rebuild'")
    if wanted == "rebuild" and events > settings.max_rebuild_events:
        raise RunRefused(
            f"the history has {events} events and would be heard again for every scenario; that is refused past "
            f"max_rebuild_events ({settings.max_rebuild_events}): raise it, or use a component that can fork"
        )
    return wanted


class ReadOnlyMemory(Memory):
    """A shared memory of which a scenario may only read; what would change it is recorded as unsupported."""

    def __init__(self, shared: Memory) -> None:
        self._shared = shared

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        return await self._shared.recall(query)

    async def dump(self) -> Sequence[MemoryItem]:
        return await self._shared.dump()

    async def write(self, event: MemoryEvent) -> None:
        self._refuse()

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        self._refuse()

    async def reveal_gold(self, event_ids: Collection[str]) -> None:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise UnsupportedOperation("the memory cannot fork, so scenarios share it and may not change it (read_only)")
