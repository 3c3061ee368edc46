"""Asks a run to stop, from outside (a signal) or from within (nothing may be spent any more)."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class StopSignal:
    """No scenario is begun any more once it is given.

    After ``request`` (a signal) scenarios under way get a short grace, and a second ``request`` ends them at once.
    After ``wind_down`` they end by themselves.
    """

    event: asyncio.Event = field(default_factory=asyncio.Event)
    at_once: asyncio.Event = field(default_factory=asyncio.Event)
    _reason: Callable[[], str] | None = None

    def request(self) -> None:
        """Ask to stop; asking a second time ends what is under way at once."""
        (self.at_once if self.event.is_set() else self.event).set()

    def wind_down(self, reason: Callable[[], str]) -> None:
        """Begin nothing new; the first reason stands. It is worded when it is read, so that its sums are the last."""
        self._reason = self._reason or reason

    @property
    def reason(self) -> str | None:
        """Why the run does not go on, where it stopped by itself."""
        return self._reason() if self._reason is not None else None

    @property
    def requested(self) -> bool:
        """Whether the run is to stop, for whatever reason."""
        return self.event.is_set() or self._reason is not None
