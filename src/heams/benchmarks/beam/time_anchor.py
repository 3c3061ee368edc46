"""BEAM's dates, such as "March-15-2024"."""

import re
from datetime import UTC, datetime

from heta_framework.common.text.months import month_number

_DATE = re.compile(r"\s*(?P<month>[a-z]+)[-\s]+(?P<day>[0-9]{1,2}),?[-\s]+(?P<year>[0-9]{4})\s*", re.IGNORECASE)


def parse_time_anchor(text: str) -> datetime:
    """The beginning of the day, in UTC (the data names no time zone).

    Raises:
        ValueError: the text is no such date, or names a day that does not exist.
    """
    match = _DATE.fullmatch(text)
    month = month_number(match["month"]) if match is not None else None
    if match is None or month is None:
        raise ValueError(f"found {text!r}; expected a date such as 'March-15-2024'")
    try:
        return datetime(int(match["year"]), month, int(match["day"]), tzinfo=UTC)
    except ValueError as cause:
        raise ValueError(f"found {text!r}, which does not exist ({cause})") from None
