"""Events that were heard and that the model has not read yet."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Self

from heams.memory.base import MemoryEvent
from heams.memory.listening.pieces import in_pieces


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """The most events that a model reads at once, and the most tokens of what was said in them."""

    events: int
    tokens: int


@dataclass(frozen=True, slots=True)
class _Part:
    """An event, or a part of one that is too long for a batch; and its length in tokens."""

    event: MemoryEvent
    tokens: int


class PendingEvents:
    """A queue that is read in batches of one session within ``limits``.

    An event is held once: heard again, it counts as heard now. One that is too long is held in parts, which all come
    from that event.
    """

    def __init__(self, limits: BatchLimits) -> None:
        self._limits = limits
        self._parts: dict[tuple[str, int], _Part] = {}

    def __len__(self) -> int:
        return len(self._parts)

    def add(self, events: Iterable[MemoryEvent]) -> None:
        """Hear events in order."""
        for event in events:
            number = 0
            while self._parts.pop((event.id, number), None):
                number += 1
            self._parts.update(
                {(event.id, place): part for place, part in enumerate(_parts(event, self._limits.tokens))}
            )

    def batch(self) -> tuple[MemoryEvent, ...]:
        """The next batch, whole or not; empty where nothing is pending."""
        return tuple(self._next())

    def whole_batch(self) -> tuple[MemoryEvent, ...]:
        """The next batch where nothing can join it any more: it is full, or its session is over."""
        batch = self.batch()
        return batch if len(batch) == self._limits.events or len(batch) < len(self) else ()

    def drop(self, count: int) -> None:
        """The model has read the first ``count``."""
        for key in list(islice(self._parts, count)):
            del self._parts[key]

    def clear(self) -> None:
        """Forget them all, unread."""
        self._parts.clear()

    def copy(self) -> Self:
        """An independent queue of the same events."""
        twin = self.__class__(self._limits)
        twin._parts = self._parts.copy()
        return twin

    def _next(self) -> Iterator[MemoryEvent]:
        waiting = islice(self._parts.values(), self._limits.events)
        room, session = self._limits.tokens, None
        for place, part in enumerate(waiting):
            session = part.event.session_id if place == 0 else session
            room -= part.tokens
            if part.event.session_id != session or (place and room < 0):
                return
            yield part.event


def _parts(event: MemoryEvent, limit: int) -> Iterator[_Part]:
    pieces = in_pieces(event.content, limit)
    for number, (text, tokens) in enumerate(pieces, start=1):
        if len(pieces) == 1:
            yield _Part(event, tokens)
        else:
            cut = {"id": f"{event.id}/part-{number}", "content": text, "sources": event.provenance}
            yield _Part(event.model_copy(update=cut), tokens)
