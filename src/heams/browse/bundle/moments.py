"""Moments as dates: a file is read later, when “5 min ago” is wrong, and must not change with the time of writing."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from heams.browse.rendering.environment import environment
from heams.reporting.figures import NONE


@contextmanager
def as_dates() -> Iterator[None]:
    """Within the context, pages say when something was instead of how long ago."""
    filters = environment().filters
    relative = filters["ago"]
    filters["ago"] = _date
    try:
        yield
    finally:
        filters["ago"] = relative


def _date(moment: datetime | None, now: datetime | None = None) -> str:
    return NONE if moment is None else f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
