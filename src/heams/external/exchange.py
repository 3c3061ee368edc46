"""One request on its way to a program: its answer, what the program asks meanwhile, and the program's clock."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from heams.external.peer import Arguments
from heams.external.protocol import Response


@dataclass(frozen=True, slots=True)
class AskedBack:
    """The program asks something of the memory before it answers."""

    call: Arguments


@dataclass(frozen=True, slots=True)
class Lost:
    """There will be no answer."""

    reason: str


@dataclass(slots=True, eq=False)
class Exchange:
    """A request and what comes of it.

    The clock runs while the program has the ball: from the moment the request is sent, but not while the memory works
    on what the program asked. It runs on when nobody waits for the answer any more.
    """

    id: int
    op: str
    scope: str | None
    line: bytes
    seconds_left: float
    may_ask: bool
    on_late: Callable[["Exchange"], None]
    inbox: "asyncio.Queue[Response | AskedBack | Lost]" = field(default_factory=asyncio.Queue)
    abandoned: bool = False
    _queued_at: float | None = None
    _sent_at: float | None = None
    _timer: asyncio.TimerHandle | None = None
    _running_since: float = 0.0

    @property
    def waited(self) -> float:
        """Seconds before it was this request's turn, so far; 0 where the program was free."""
        if self._queued_at is None:
            return 0.0
        turn = asyncio.get_running_loop().time() if self._sent_at is None else self._sent_at
        return turn - self._queued_at

    def queue(self) -> None:
        """The program is busy with others."""
        self._queued_at = asyncio.get_running_loop().time()

    def send(self, write: Callable[[bytes], None]) -> None:
        """It is this request's turn."""
        self._sent_at = asyncio.get_running_loop().time()
        self.run_clock()
        write(self.line)

    def run_clock(self) -> None:
        """The program has the ball."""
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._running_since = loop.time()
            self._timer = loop.call_later(self.seconds_left, self.on_late, self)

    def lose(self, reason: str) -> None:
        """Whatever the program has asked needs no answer any more."""
        self.stop_clock()
        while not self.inbox.empty():
            self.inbox.get_nowait()
        self.inbox.put_nowait(Lost(reason))

    def stop_clock(self) -> None:
        """The program waits, or has answered."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self.seconds_left = max(0.0, self.seconds_left - (asyncio.get_running_loop().time() - self._running_since))
