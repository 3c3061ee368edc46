"""Simulated time: scenarios carry their own clock, and every instant on it knows its zone."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator


def assume_utc(instant: datetime) -> datetime:
    """Read an instant without a zone as UTC, so that any two instants of a scenario can be compared."""
    return instant if instant.tzinfo is not None else instant.replace(tzinfo=UTC)


Instant = Annotated[datetime, AfterValidator(assume_utc)]

UNKNOWN = "unknown"
"""Stands in prompts for a time or a speaker that nobody knows."""


def shown_time(at: datetime | None) -> str:
    """A moment of the simulated clock, for prompts: ``Monday 2023-05-08 13:56 UTC``."""
    return UNKNOWN if at is None else f"{at:%A %Y-%m-%d %H:%M} {at.tzname() or ''}".rstrip()
