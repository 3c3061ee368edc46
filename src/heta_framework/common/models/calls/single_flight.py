"""Equal work that is wanted at the same moment is done once, and whoever wants it gets the outcome."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")
_Place = tuple[asyncio.AbstractEventLoop, str]


@dataclass(frozen=True, slots=True)
class Landing(Generic[T]):
    """The outcome for one of those who waited.

    ``first``: exactly one of them, who stands for the work that was done. ``shared``: others may get the same value.
    ``orphaned``: whoever began the work had left, perhaps with what the work needed.
    """

    value: T
    first: bool
    shared: bool
    orphaned: bool


class SingleFlight(Generic[T]):
    """Joins equal work, by key.

    The work is a task of its own: when whoever asked first is cancelled, it goes on for those who wait, and one of them
    takes the first place. Only when nobody waits any more, it is cancelled. An exception reaches everybody who waits;
    but where whoever began has left, perhaps with what the work needed, those who wait do it themselves.
    """

    def __init__(self) -> None:
        self._flights: dict[_Place, _Flight[T]] = {}

    async def join(self, key: str, work: Callable[[], Coroutine[Any, Any, T]]) -> Landing[T]:
        """The outcome of ``work``, or of the equal work that is under way in this event loop."""
        place = (asyncio.get_running_loop(), key)
        flight = self._flights.get(place)
        begins = flight is None
        if flight is None:
            flight = self._begin(place, work)
        flight.waiting += 1
        flight.boarded += 1
        try:
            value = await asyncio.shield(flight.task)
        except Exception:
            if begins or not flight.orphaned:
                raise
            return await self.join(key, work)
        finally:
            self._leave(place, flight, began=begins)
        first, flight.taken = not flight.taken, True
        return Landing(value, first=first, shared=flight.boarded > 1, orphaned=flight.orphaned)

    def _begin(self, place: _Place, work: Callable[[], Coroutine[Any, Any, T]]) -> "_Flight[T]":
        flight = self._flights[place] = _Flight(asyncio.create_task(work()))
        flight.task.add_done_callback(lambda _: self._forget(place, flight))
        return flight

    def _leave(self, place: _Place, flight: "_Flight[T]", *, began: bool) -> None:
        flight.waiting -= 1
        if flight.task.done():
            return
        flight.orphaned |= began
        if flight.waiting == 0:
            self._forget(place, flight)
            flight.task.cancel()

    def _forget(self, place: _Place, flight: "_Flight[T]") -> None:
        if self._flights.get(place) is flight:
            del self._flights[place]
        if flight.task.done() and not flight.task.cancelled():
            flight.task.exception()  # asked for, so that nobody is told of it where everybody has left


@dataclass(slots=True)
class _Flight(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0
    boarded: int = 0
    taken: bool = False
    orphaned: bool = False
