"""LongMemEval's dates, such as "2023/05/30 (Tue) 23:40"."""

import re
from datetime import UTC, datetime

_DATE = re.compile(
    r"\s*(?P<year>[0-9]{4})/(?P<month>[0-9]{1,2})/(?P<day>[0-9]{1,2})(?:\s*\([A-Za-z]+\))?"
    r"(?:\s+(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2}))?\s*"
)


def parse_date(text: str) -> datetime:
    """The instant, in UTC (the data names no time zone); without a time of day, the day's beginning.

    The name of the weekday is not read.

    Raises:
        ValueError: the text is no such date, or names a moment that does not exist.
    """
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError(f"found {text!r}; expected a date such as '2023/05/30 (Tue) 23:40'")
    parts = (int(match[name] or 0) for name in ("year", "month", "day", "hour", "minute"))
    try:
        return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]
    except ValueError as cause:
        raise ValueError(f"found {text!r}, which does not exist ({cause})") from None
