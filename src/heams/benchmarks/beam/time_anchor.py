"""BEAM's dates, such as "March-15-2024"."""

import re
from datetime import UTC, datetime

_DATE = re.compile(r"\s*(?P<month>[a-z]+)[-\s]+(?P<day>[0-9]{1,2}),?[-\s]+(?P<year>[0-9]{4})\s*", re.IGNORECASE)
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip


def parse_time_anchor(text: str) -> datetime:
    """The beginning of the day, in UTC (the data names no time zone).

    Raises:
        ValueError: the text is no such date, or names a day that does not exist.
    """
    match = _DATE.fullmatch(text)
    if match is None or match["month"].lower() not in _MONTHS:
        raise ValueError(f"found {text!r}; expected a date such as 'March-15-2024'")
    try:
        return datetime(int(match["year"]), _MONTHS.index(match["month"].lower()) + 1, int(match["day"]), tzinfo=UTC)
    except ValueError as cause:
        raise ValueError(f"found {text!r}, which does not exist ({cause})") from None
