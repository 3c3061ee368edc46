"""Events that were heard and that the model has not read yet."""

from collections.abc import Iterable
from itertools import takewhile
from typing import Self

from heams.memory.base import MemoryEvent


class PendingEvents:
    """A queue that is read in batches of one session, at most ``most`` events each.

    An event is held once: heard again, it counts as heard now.
    """

    def __init__(self, most: int, events: Iterable[MemoryEvent] = ()) -> None:
        self._most = most
        self._events = {event.id: event for event in events}

    def __len__(self) -> int:
        return len(self._events)

    def add(self, events: Iterable[MemoryEvent]) -> None:
        """Hear events in order."""
        for event in events:
            self._events.pop(event.id, None)
            self._events[event.id] = event

    def batch(self) -> tuple[MemoryEvent, ...]:
        """The next batch, whole or not; empty where nothing is pending."""
        waiting = list(self._events.values())
        together = takewhile(lambda event: event.session_id == waiting[0].session_id, waiting[: self._most])
        return tuple(together)

    def whole_batch(self) -> tuple[MemoryEvent, ...]:
        """The next batch where nothing can join it any more: it is full, or its session is over."""
        batch = self.batch()
        return batch if len(batch) == self._most or len(batch) < len(self) else ()

    def drop(self, batch: Iterable[MemoryEvent]) -> None:
        """The model has read these."""
        for event in batch:
            del self._events[event.id]

    def clear(self) -> None:
        """Forget them all, unread."""
        self._events.clear()

    def copy(self) -> Self:
        """An independent queue of the same events."""
        return self.__class__(self._most, self._events.values())
