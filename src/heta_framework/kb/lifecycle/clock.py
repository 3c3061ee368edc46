"""The time as records write it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """The current time in UTC, ISO 8601."""
    return datetime.now(UTC).isoformat()
