"""Which events are behind what a library holds: noted when they are written, since libraries mostly lose it.

A library answers a write with the ids of what it made or changed. Under each of these *receipts* the ids of the events
are noted, and an item that is changed again has the later events behind it too.
"""

import json
import math
from collections.abc import Collection, Iterable
from datetime import datetime

from heams.memory.libraries.batches import Batch
from heams.scenarios.clock import Instant


class Receipts:
    """The notes of one memory: events and time under each receipt, and the owners."""

    def __init__(
        self,
        events: dict[str, list[str]] | None = None,
        times: dict[str, str] | None = None,
        owners: Iterable[str] = (),
    ) -> None:
        self._events = events or {}
        self._times = times or {}
        self._owners = dict.fromkeys(owners)
        self._places = {receipt: place for place, receipt in enumerate(self._events)}

    @property
    def owners(self) -> tuple[str, ...]:
        """Under whose names anything is kept, in order of their first."""
        return tuple(self._owners)

    def note(self, batch: Batch, receipts: Collection[str]) -> None:
        """``receipts`` came of hearing ``batch``."""
        self._owners.setdefault(batch.owner)
        for receipt in receipts:
            self._places.setdefault(receipt, len(self._places))
            self._events[receipt] = list(dict.fromkeys([*self._events.get(receipt, ()), *batch.event_ids]))
            if batch.at is not None:
                self._times[receipt] = batch.at.isoformat()

    def events_behind(self, receipts: Iterable[str]) -> tuple[str, ...]:
        """Ids of the events under these receipts, each once."""
        found = (event_id for receipt in self._in_order(receipts) for event_id in self._events[receipt])
        return tuple(dict.fromkeys(found))

    def time_behind(self, receipts: Iterable[str]) -> Instant | None:
        """When these receipts were last written to, on the clock of the events."""
        times = [self._times[receipt] for receipt in self._in_order(receipts) if receipt in self._times]
        return datetime.fromisoformat(times[-1]) if times else None

    def first_place(self, receipts: Iterable[str]) -> float:
        """Where the first of these receipts stands in the order in which they were noted; infinity for none."""
        return min((self._places[receipt] for receipt in receipts if receipt in self._places), default=math.inf)

    def drop(self, receipts: Iterable[str]) -> None:
        """Forget what is noted under these."""
        for receipt in receipts:
            self._events.pop(receipt, None)
            self._times.pop(receipt, None)

    def _in_order(self, receipts: Iterable[str]) -> list[str]:
        return sorted((receipt for receipt in receipts if receipt in self._events), key=self._places.__getitem__)

    def copy(self) -> "Receipts":
        """Independent notes."""
        events = {receipt: list(behind) for receipt, behind in self._events.items()}
        return Receipts(events, dict(self._times), self._owners)

    def to_json(self) -> bytes:
        """As ASCII, because ids may hold lone surrogates, which UTF-8 cannot write."""
        notes = {"events": self._events, "times": self._times, "owners": list(self._owners)}
        return json.dumps(notes).encode("ascii")

    @classmethod
    def from_json(cls, content: bytes) -> "Receipts":
        """What ``to_json`` wrote."""
        return cls(**json.loads(content))
