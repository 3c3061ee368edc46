"""Asks a run to stop, from outside (a signal) or from within (nothing may be spent any more)."""

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True)
class StopSignal:
    """No scenario is begun any more once it is given.

    After ``request`` (a signal) scenarios under way get a short grace, and a second ``request`` ends them at once.
    After ``wind_down`` they end by themselves; ``reason`` says why the run does not go on.
    """

    event: asyncio.Event = field(default_factory=asyncio.Event)
    at_once: asyncio.Event = field(default_factory=asyncio.Event)
    reason: str | None = None

    def request(self) -> None:
        """Ask to stop; asking a second time ends what is under way at once."""
        (self.at_once if self.event.is_set() else self.event).set()

    def wind_down(self, reason: str) -> None:
        """Begin nothing new; the first reason stands."""
        self.reason = self.reason or reason

    @property
    def requested(self) -> bool:
        """Whether the run is to stop, for whatever reason."""
        return self.event.is_set() or self.reason is not None
