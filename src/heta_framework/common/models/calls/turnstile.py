"""A queue in front of something that not everybody may enter at once: first come, first served.

It belongs to no event loop: tasks of several loops, also in several threads, may wait in the same queue.
"""

import asyncio
import math
from collections import deque
from dataclasses import dataclass
from threading import RLock
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class Rule(Protocol[T_contra]):
    """Who may enter, and the book of those who are inside."""

    def delay(self, entrant: T_contra) -> float:
        """Seconds until ``entrant`` may enter; infinite where something must happen first."""
        ...

    def enter(self, entrant: T_contra) -> None:
        """``entrant`` is inside from now on."""
        ...

    def leave(self, entrant: T_contra) -> None:
        """``entrant`` was let in, and did not come."""
        ...


@dataclass(eq=False, slots=True)
class _Waiting(Generic[T]):
    entrant: T
    loop: asyncio.AbstractEventLoop
    turn: asyncio.Future[None]
    inside: bool = False

    def let_in(self) -> None:
        self.inside = True
        if _running_loop() is self.loop:
            self._wake()
        else:
            self.loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        if not self.turn.done():
            self.turn.set_result(None)


class Turnstile(Generic[T]):
    """The queue. ``lock`` guards the rule's book as well."""

    def __init__(self, rule: Rule[T], lock: RLock) -> None:
        self._rule = rule
        self._lock = lock
        self._queue: deque[_Waiting[T]] = deque()
        self._timer: tuple[asyncio.AbstractEventLoop, float] | None = None

    def __len__(self) -> int:
        """How many wait."""
        return len(self._queue)

    async def enter(self, entrant: T) -> None:
        """Wait for ``entrant``'s turn."""
        with self._lock:
            if not self._queue and self._rule.delay(entrant) <= 0:
                self._rule.enter(entrant)
                return
            loop = asyncio.get_running_loop()
            waiting = _Waiting(entrant, loop, loop.create_future())
            self._queue.append(waiting)
            self.check()
        try:
            await waiting.turn
        except asyncio.CancelledError:
            self._give_up(waiting)
            raise

    def check(self) -> None:
        """Let in whoever may enter now; called whenever something has changed."""
        with self._lock:
            while self._queue:
                first = self._queue[0]
                if not first.loop.is_closed():
                    delay = self._rule.delay(first.entrant)
                    if delay > 0:
                        self._check_in(delay, first.loop)
                        return
                    self._rule.enter(first.entrant)
                    first.let_in()
                self._queue.popleft()

    def _give_up(self, waiting: _Waiting[T]) -> None:
        with self._lock:
            if waiting.inside:
                self._rule.leave(waiting.entrant)
            else:
                self._queue.remove(waiting)
            self.check()

    def _check_in(self, delay: float, loop: asyncio.AbstractEventLoop) -> None:
        due = loop.time() + delay
        if delay == math.inf or (self._timer is not None and self._timer[0] is loop and self._timer[1] <= due):
            return
        self._timer = (loop, due)
        if _running_loop() is loop:
            loop.call_at(due, self._on_time, self._timer)
        else:
            loop.call_soon_threadsafe(loop.call_at, due, self._on_time, self._timer)

    def _on_time(self, timer: tuple[asyncio.AbstractEventLoop, float]) -> None:
        with self._lock:
            if self._timer is timer:
                self._timer = None
            self.check()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
