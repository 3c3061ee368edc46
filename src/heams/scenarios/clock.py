"""Simulated time: scenarios carry their own clock, and every instant on it knows its zone."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator


def assume_utc(instant: datetime) -> datetime:
    """Read an instant without a zone as UTC, so that any two instants of a scenario can be compared."""
    return instant if instant.tzinfo is not None else instant.replace(tzinfo=UTC)


Instant = Annotated[datetime, AfterValidator(assume_utc)]
