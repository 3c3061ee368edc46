"""LoCoMo's session dates, such as "1:56 pm on 8 May, 2023"."""

import re
from datetime import UTC, datetime

from heta_framework.common.text.months import month_number

EXPECTED = "a date such as '1:56 pm on 8 May, 2023'"

_DATE = re.compile(
    r"\s*(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})\s*(?P<half>[ap]m)\s+on\s+"
    r"(?P<day>[0-9]{1,2})\s+(?P<month>[a-z]+),?\s+(?P<year>[0-9]{4})\s*",
    re.IGNORECASE,
)


def parse_session_date(text: str) -> datetime:
    """The instant, in UTC (the data names no time zone).

    Raises:
        ValueError: the text is no such date, or names a time that does not exist.
    """
    match = _DATE.fullmatch(text)
    month = month_number(match["month"]) if match is not None else None
    if match is None or month is None or not 1 <= int(match["hour"]) <= 12:
        raise ValueError(f"found {text!r}; expected {EXPECTED}")
    hour = int(match["hour"]) % 12 + (12 if match["half"].lower() == "pm" else 0)
    try:
        return datetime(int(match["year"]), month, int(match["day"]), hour, int(match["minute"]), tzinfo=UTC)
    except ValueError as cause:
        raise ValueError(f"found {text!r}, which does not exist ({cause}); expected {EXPECTED}") from None
