"""What a ``summary`` memory holds. It never changes: every change makes another state, so forks share it."""

from collections.abc import Collection, Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict

from heams.memory.base import MemoryEvent, RecalledItem
from heams.memory.items import remembered
from heams.scenarios.clock import Instant

SUMMARY_ID = "summary"
"""Id of the item that stands for the summary."""


class SummaryState(BaseModel):
    """A summary, the time until which it reaches, whether its end was cut off, and the last events word for word."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = ""
    at: Instant | None = None
    cut: bool = False
    recent: tuple[MemoryEvent, ...] = ()

    def items(self) -> list[RecalledItem]:
        """The summary, where there is one, and the last events in order of hearing."""
        return [*self._summary(), *(remembered(event) for event in self.recent)]

    def heard(self, batch: Sequence[MemoryEvent], most: int) -> tuple[MemoryEvent, ...]:
        """The last ``most`` events when ``batch`` has been heard; an event heard again counts as heard now."""
        together = {event.id: event for event in self.recent}
        for event in batch:
            together.pop(event.id, None)
            together[event.id] = event
        return tuple(together.values())[-most:] if most else ()

    def without(self, event_ids: Collection[str]) -> Self:
        """The state without these events among the last ones."""
        return self.model_copy(update={"recent": tuple(event for event in self.recent if event.id not in event_ids)})

    def with_text(self, text: str, *, cut: bool) -> Self:
        """The state with another summary that reaches until the same time."""
        return self.model_copy(update={"text": text, "cut": cut})

    def _summary(self) -> list[RecalledItem]:
        if not self.text:
            return []
        cut = {"cut": True} if self.cut else {}
        return [RecalledItem(id=SUMMARY_ID, text=self.text, at=self.at, metadata={"kind": "summary", **cut})]
