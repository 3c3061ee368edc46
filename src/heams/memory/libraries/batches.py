"""How events are handed to a library: in batches, and as text that says who speaks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from heams.memory.base import MemoryEvent
from heams.scenarios.clock import Instant


@dataclass(frozen=True, slots=True)
class Batch:
    """Events that a library is told at once, at least one, kept under the name of ``owner``."""

    owner: str
    events: tuple[MemoryEvent, ...]

    @property
    def at(self) -> Instant | None:
        """When it was said: the time of its last event that has one."""
        return next((event.at for event in reversed(self.events) if event.at is not None), None)

    @property
    def event_ids(self) -> tuple[str, ...]:
        """Ids of the events behind it."""
        return tuple(dict.fromkeys(event_id for event in self.events for event_id in event.provenance))


def batches(events: Sequence[MemoryEvent], most: int, owner_of: Callable[[str], str]) -> Iterator[Batch]:
    """Events in order, at most ``most`` at a time; a batch is of one owner and one session."""
    for (owner, _), run in groupby(events, key=lambda event: (owner_of(event.principal), event.session_id)):
        together = tuple(run)
        for start in range(0, len(together), most):
            yield Batch(owner, together[start : start + most])


def spoken(event: MemoryEvent) -> str:
    """A turn as ``speaker: text``, since libraries know roles and no names; anything else as it is."""
    return f"{event.speaker}: {event.content}" if event.kind == "turn" else event.content


def dated(event: MemoryEvent) -> str:
    """``spoken`` with the time in front, for libraries that have no other place for it."""
    return spoken(event) if event.at is None else f"[{event.at:%Y-%m-%d %H:%M}] {spoken(event)}"
