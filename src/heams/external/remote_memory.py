"""A memory system that lives in an external program or behind a URL."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from pydantic import BaseModel, JsonValue, TypeAdapter

from heams.external.checking import checked, nothing_in
from heams.external.declared import declared_operation
from heams.external.handshake import shaken_hands
from heams.external.peer import Arguments, Host, Scope
from heams.external.reported_usage import not_reported
from heams.memory.base import (
    ForgetDemand,
    ForgetReceipt,
    Memory,
    MemoryCapabilities,
    MemoryEvent,
    MemoryItem,
    MemoryScope,
    MemorySystem,
    RecalledItem,
    RecallQuery,
    UnsupportedOperation,
)
from heams.scenarios.clock import Instant
from heams.scenarios.usage import UsageByRole

_EVENTS_PER_REQUEST = 100
_INSTANT: TypeAdapter[Instant] = TypeAdapter(Instant)
_CAPABILITIES: TypeAdapter[MemoryCapabilities] = TypeAdapter(MemoryCapabilities)
_RECALLED: TypeAdapter[list[RecalledItem]] = TypeAdapter(list[RecalledItem])
_ITEMS: TypeAdapter[list[MemoryItem]] = TypeAdapter(list[MemoryItem])
_RECEIPT: TypeAdapter[ForgetReceipt] = TypeAdapter(ForgetReceipt)
_USAGE: TypeAdapter[Mapping[Any, Any]] = TypeAdapter(UsageByRole)


class RemoteMemorySystem(MemorySystem):
    """A memory system behind a ``Host``. Its capabilities are known after ``start``."""

    capabilities: MemoryCapabilities
    remote = True

    def __init__(self, config: Any, host: Host) -> None:
        super().__init__(config)
        self.capabilities = MemoryCapabilities()
        self._host = host
        self._declined: set[str] = set()

    async def start(self) -> None:
        """Start the program and shake hands; see ``Host.start`` for what it raises."""
        self.capabilities = await shaken_hands(self._host, _CAPABILITIES)

    async def open(self, scope: MemoryScope) -> Memory:
        """A new memory in the program."""
        if scope.directory is not None:
            scope.directory.mkdir(parents=True, exist_ok=True)
        place = await self._host.new_scope()
        directory = None if scope.directory is None else _location(scope.directory)
        nothing_in(await place.begin({"name": scope.id, "directory": directory}), place.label, "open")
        return RemoteMemory(place, self.capabilities, self._declined)

    async def close(self) -> None:
        """End the program."""
        await self._host.close()


class RemoteMemory(Memory):
    """One memory in a program. ``declined`` collects optional operations that the program does not offer."""

    def __init__(self, place: Scope, capabilities: MemoryCapabilities, declined: set[str]) -> None:
        self._place = place
        self._capabilities = capabilities
        self._declined = declined

    async def write(self, event: MemoryEvent) -> None:
        """Hear one event."""
        await self._tell("write", {"event": _json(event)})

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        """Items for a query, best first."""
        return checked(_RECALLED, await self._place.ask("recall", {"query": _json(query)}), self._place.label, "recall")

    async def write_all(self, events: Sequence[MemoryEvent]) -> None:
        """Hear many events, a hundred a request; one by one where the program does not take many."""
        for start in range(0, len(events), _EVENTS_PER_REQUEST):
            batch = events[start : start + _EVENTS_PER_REQUEST]
            told = await self._tell_if_offered("write_all", {"events": [_json(event) for event in batch]})
            if not told:
                await super().write_all(batch)

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        """Forget what is asked."""
        with self._declared("forget", "forget"):
            receipt = await self._place.ask("forget", {"demand": _json(demand)})
        return checked(_RECEIPT, receipt, self._place.label, "forget")

    async def dump(self) -> Sequence[MemoryItem]:
        """Everything the memory holds."""
        with self._declared("dump", "dump"):
            items = await self._place.ask("dump")
        return checked(_ITEMS, items, self._place.label, "dump")

    async def advance(self, now: Instant) -> None:
        """Tell the time to a memory that declares ``clock``."""
        if self._capabilities.clock:
            with self._declared("advance", "clock"):
                await self._tell("advance", {"now": _INSTANT.dump_python(now, mode="json")})

    async def reveal_gold(self, event_ids: Collection[str]) -> None:
        """Tell the evidence to a memory that declares ``needs_gold``."""
        with self._declared("reveal_gold", "needs_gold"):
            await self._tell("reveal_gold", {"event_ids": list(event_ids)})

    async def fork(self) -> Memory:
        """A copy, in the same process."""
        with self._declared("fork", "fork"):
            return RemoteMemory(await self._place.fork(), self._capabilities, self._declined)

    async def persist(self, directory: Path) -> None:
        """Let the program write its state into a folder."""
        with self._declared("persist", "persist"):
            await self._tell("persist", {"directory": _location(directory)})

    async def restore(self, directory: Path) -> None:
        """Let the program read its state from a folder."""
        with self._declared("restore", "persist"):
            await self._tell("restore", {"directory": _location(directory)})

    async def usage(self) -> UsageByRole:
        """Model usage since the memory was opened or forked; of unknown cost where the program does not say."""
        if "usage" in self._declined:
            return not_reported("memory")
        try:
            said = await self._place.ask("usage")
        except UnsupportedOperation:
            self._declined.add("usage")
            return not_reported("memory")
        return not_reported("memory") if said is None else checked(_USAGE, said, self._place.label, "usage")

    async def close(self) -> None:
        """Let the program release the memory."""
        await self._place.close()

    async def _tell(self, op: str, arguments: Arguments) -> None:
        nothing_in(await self._place.ask(op, arguments), self._place.label, op)

    async def _tell_if_offered(self, op: str, arguments: Arguments) -> bool:
        if op in self._declined:
            return False
        try:
            await self._tell(op, arguments)
        except UnsupportedOperation:
            self._declined.add(op)
            return False
        return True

    def _declared(self, op: str, capability: str) -> AbstractContextManager[None]:
        declared = getattr(self._capabilities, capability)
        return declared_operation(op, capability, declared=declared, label=self._place.label)


def _location(directory: Path) -> str:
    return str(directory.absolute())


def _json(value: BaseModel) -> JsonValue:
    dumped: JsonValue = value.model_dump(mode="json")
    return dumped
