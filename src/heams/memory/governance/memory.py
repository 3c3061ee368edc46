"""A memory under rules: any memory that can forget by event, with its rules kept around it."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

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
from heams.memory.forgetting import passages_in
from heams.memory.governance.access import visible
from heams.memory.governance.ledger import NEVER, Ledger, names_in
from heams.memory.governance.policy import AccessPolicy, RetentionPolicy, ScreeningPolicy
from heams.memory.governance.screening import Screen
from heams.scenarios.usage import UsageByRole
from heta_framework.common.stores.snapshot import SnapshotError, read_snapshot, write_snapshot

_INNER, _LEDGER, _KIND = "memory", "ledger.snapshot", "memory_ledger"
_Item = TypeVar("_Item", bound=MemoryItem)


class GovernedMemory(Memory):
    """Lets in what it trusts, forgets what is over, keeps what is held, and shows each principal what is theirs.

    The memory inside never learns of the rules: it is told to forget events, and its answers are looked through.
    """

    def __init__(
        self,
        inner: Memory,
        retention: RetentionPolicy | None,
        access: AccessPolicy | None,
        screening: ScreeningPolicy | None = None,
        ledger: Ledger | None = None,
        now: datetime | None = None,
    ) -> None:
        self._inner = inner
        self._retention = retention
        self._access = access
        self._screening = screening
        self._screen = Screen(screening) if screening is not None else None
        self._ledger = ledger or Ledger()
        self._now = now
        self._next_end = self._ledger.next_end(retention) if retention is not None else NEVER
        self._counts = {"expired": 0, "held": 0, "withheld": 0, "quarantined": 0}

    async def write(self, event: MemoryEvent) -> None:
        """Hear one event, after what is over by its time is forgotten."""
        await self.write_all([event])

    async def write_all(self, events: Sequence[MemoryEvent]) -> None:
        """Hear events in order, but for what is quarantined; what they replace or end goes."""
        events = self._let_in(events)
        await self._inner.write_all(events)
        for event in events:
            self._ledger.hear(event, self._retention)
        if self._retention is not None:
            heard = (event.id for event in events)
            self._next_end = min(self._next_end, self._ledger.next_end(self._retention, heard))
        await self._forget_all(self._ended_by(events))
        await self._pass_time(max((event.at for event in events if event.at is not None), default=None))

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        """What the memory finds, without what is over and what is not the principal's to see."""
        await self._pass_time(query.at)
        if self._access is None:
            return await self._inner.recall(query)
        limit = query.limit
        found: Sequence[RecalledItem] = ()
        while True:
            found, before = await self._inner.recall(query.model_copy(update={"limit": limit})), len(found)
            kept = self._seen_by(query.principal, found)
            exhausted = limit is None or len(found) < limit or len(found) == before
            if exhausted or query.limit is None or len(kept) >= query.limit:
                self._counts["withheld"] += len(found) - len(kept)
                return kept[: query.limit]
            limit = limit * 4 if limit is not None else None

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        """Forget what is asked and what was made from it, except for what is under legal hold: the receipt says so."""
        if self._retention is None:
            return await self._inner.forget(demand)
        meant = self._ledger.with_derived(demand.event_ids or await self._meant_by(demand))
        if not meant:
            return await self._inner.forget(demand)
        held = self._ledger.held(self._retention)
        kept = [event_id for event_id in meant if event_id in held]
        free = [event_id for event_id in meant if event_id not in held]
        self._counts["held"] += len(kept)
        receipt = ForgetReceipt(note="0 items removed")
        if free:
            receipt = await self._inner.forget(demand.model_copy(update={"event_ids": tuple(free)}))
        if not kept:
            return receipt
        note = f"{receipt.note}; {len(kept)} kept under legal hold".removeprefix("; ")
        return receipt.model_copy(update={"note": note})

    async def dump(self) -> Sequence[MemoryItem]:
        """Everything the memory holds: an inspection is no principal's recall."""
        return await self._inner.dump()

    async def glance(self) -> Sequence[MemoryItem]:
        """What the memory inside holds."""
        return await self._inner.glance()

    def size(self) -> int | None:
        """That of the memory inside."""
        return self._inner.size()

    def recall_would_change(self, now: datetime | None) -> bool:
        """Whether something is over by then, or the memory inside would change."""
        latest = max((time for time in (now, self._now) if time is not None), default=None)
        return (latest is not None and latest >= self._next_end) or self._inner.recall_would_change(now)

    async def settle(self) -> None:
        """Passed on, unless what is held may keep the memory inside from ever hearing of the demand."""
        if self._retention is None:
            await self._inner.settle()

    async def advance(self, now: datetime) -> None:
        """The simulated clock now shows ``now``: what is over is forgotten."""
        await self._inner.advance(now)
        await self._pass_time(now)

    async def reveal_gold(self, event_ids: Collection[str]) -> None:
        """Passed on."""
        await self._inner.reveal_gold(event_ids)

    async def fork(self) -> Memory:
        """An independent copy, with a ledger of its own."""
        inner = await self._inner.fork()
        ledger = self._ledger.copy()
        return GovernedMemory(inner, self._retention, self._access, self._screening, ledger, self._now)

    async def persist(self, directory: Path) -> None:
        """The memory in a folder of its own, the ledger beside it; the ledger comes last."""
        inner = directory / _INNER
        inner.mkdir()
        await self._inner.persist(inner)
        await to_thread.run_sync(self._save, directory / _LEDGER)

    async def restore(self, directory: Path) -> None:
        """Replace the present state by a persisted one.

        Raises:
            SnapshotError: there is no state, it is cut or altered, or another configuration wrote it.
        """
        ledger, now = await to_thread.run_sync(self._read, directory / _LEDGER)
        await self._inner.restore(directory / _INNER)
        self._ledger, self._now = ledger, now
        self._next_end = ledger.next_end(self._retention) if self._retention is not None else NEVER

    def tallies(self) -> Mapping[str, int]:
        """Those of the memory, and how many events expired, were held or quarantined, and items withheld."""
        return {**self._inner.tallies(), **{name: count for name, count in self._counts.items() if count}}

    async def usage(self) -> UsageByRole:
        """That of the memory."""
        return await self._inner.usage()

    async def close(self) -> None:
        """Release the memory."""
        await self._inner.close()

    def _let_in(self, events: Sequence[MemoryEvent]) -> Sequence[MemoryEvent]:
        if self._screen is None:
            return events
        admitted = self._screen.admitted(events)
        self._counts["quarantined"] += len(events) - len(admitted)
        return admitted

    def _seen_by(self, principal: str, items: Sequence[_Item]) -> list[_Item]:
        if self._access is None:
            return list(items)
        flags = visible(items, principal, self._access, self._ledger)
        return [item for item, is_open in zip(items, flags, strict=True) if is_open]

    async def _pass_time(self, now: datetime | None) -> None:
        """Forget what is over. The ledger is looked through only when the first end in it has come."""
        if now is not None and (self._now is None or now > self._now):
            self._now = now
        if self._retention is None or self._now is None or self._now < self._next_end:
            return
        due = self._ledger.due(self._retention, self._now)
        self._counts["expired"] += len(due)
        await self._forget_all(due)
        self._next_end = self._ledger.next_end(self._retention)

    async def _forget_all(self, event_ids: Iterable[str]) -> None:
        """Forget events and what was made from them, but for what is held."""
        meant = self._ledger.with_derived(event_ids)
        held = self._ledger.held(self._retention) if meant and self._retention is not None else set()
        named = tuple(one for one in meant if one not in held)
        if named:
            await self._inner.forget(ForgetDemand(content="", event_ids=named, at=self._now))
            self._ledger.strike(named)

    def _ended_by(self, events: Sequence[MemoryEvent]) -> list[str]:
        """Earlier events that these replace, or whose purpose they end."""
        policy = self._retention
        if policy is None:
            return []
        ended: list[str] = []
        for event in events:
            replaced = event.metadata.get("supersedes") if policy.forget_superseded else None
            ended += [one for one in names_in(replaced) if one in self._ledger.entries]
            purpose = event.metadata.get("ends_purpose") if policy.forget_ended_purposes else None
            if isinstance(purpose, str):
                ended += self._ledger.of_purpose(purpose)
        return ended

    async def _meant_by(self, demand: ForgetDemand) -> list[str]:
        """The events behind the items that a demand in words is about."""
        items = [item for item in await self._inner.dump() if passages_in(item.text, demand)]
        return list(dict.fromkeys(event_id for item in items for event_id in item.event_ids))

    def _save(self, path: Path) -> None:
        state = {**self._ledger.to_dict(), "now": None if self._now is None else self._now.isoformat()}
        write_snapshot(path, {"kind": _KIND, "version": 1}, [json.dumps(state).encode("ascii")])

    def _read(self, path: Path) -> tuple[Ledger, datetime | None]:
        _, payload = read_snapshot(path, _KIND)
        try:
            state = json.loads(payload)
            now = state["now"]
            return Ledger.from_dict(state), None if now is None else datetime.fromisoformat(now)
        except (ValueError, KeyError) as error:
            raise SnapshotError(f"{path}: not the ledger of a memory: {error}") from error
