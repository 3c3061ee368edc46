"""Calendar dates in a text, written one way: "5 January 2026", "Jan 5th, 2026" and "2026/1/5" are "2026-01-05".

Only dates with day, month and year are rewritten. Numeric ones are read where they begin with the year, or where only
one of the first two numbers can be a month: "05/13/2026" is 13 May; "05/06/2026" stays as it is, for either could be
meant. `month_days` is for comparing days of the year, whether a year is named or not.
"""

from __future__ import annotations

import re
from datetime import date

from heta_framework.common.text.months import MONTHS

_MONTH = "|".join(rf"{name[:3]}(?:{name[3:]})?" for name in MONTHS) + "|sept"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?:1[5-9]|20|21)\d\d"
_WRITTEN = re.compile(
    rf"\b(?:(?P<d1>{_DAY})(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<m1>{_MONTH})\b\.?,?\s+(?P<y1>{_YEAR})"
    rf"|(?P<m2>{_MONTH})\b\.?\s+(?P<d2>{_DAY})(?:st|nd|rd|th)?,?\s+(?P<y2>{_YEAR})"
    rf"|(?P<y3>{_YEAR})(?P<j>[-/.])(?P<m3>\d\d?)(?P=j)(?P<d3>\d\d?)"
    rf"|(?P<a>\d\d?)(?P<k>[-/.])(?P<b>\d\d?)(?P=k)(?P<y4>{_YEAR}))(?![\d])",
    re.IGNORECASE,
)


_MONTH_DAY = re.compile(
    rf"\b(?:(?P<d1>{_DAY})(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<m1>{_MONTH})\b"
    rf"|(?P<m2>{_MONTH})\b\.?\s+(?P<d2>{_DAY})(?:st|nd|rd|th)?(?![\d])"
    rf"|{_YEAR}-(?P<m3>\d\d)-(?P<d3>\d\d)\b)",
    re.IGNORECASE,
)


def month_days(text: str) -> str:
    """The text with every day of a month, with a year or without, as a word of its own (``month05day12``)."""
    return _MONTH_DAY.sub(_month_day, iso_dates(text)) if any(map(str.isdigit, text)) else text


def _month_day(found: re.Match[str]) -> str:
    if found["m3"]:
        return f"month{found['m3']}day{found['d3']}"
    month, day = (found["m1"], found["d1"]) if found["m1"] else (found["m2"], found["d2"])
    return f"month{_month_number(month):02d}day{int(day):02d}"


def iso_dates(text: str) -> str:
    """The text with every unambiguous full date written as ``YYYY-MM-DD``."""
    return _WRITTEN.sub(_iso, text) if any(map(str.isdigit, text)) else text


def _iso(found: re.Match[str]) -> str:
    for year, month, day in (("y1", "m1", "d1"), ("y2", "m2", "d2")):
        if found[year]:
            return _written(found, int(found[year]), _month_number(found[month]), int(found[day]))
    if found["y3"]:
        return _written(found, int(found["y3"]), int(found["m3"]), int(found["d3"]))
    first, second = int(found["a"]), int(found["b"])
    if first > 12 or first == second:
        return _written(found, int(found["y4"]), second, first)
    return _written(found, int(found["y4"]), first, second) if second > 12 else found[0]


def _month_number(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, 1) if month.startswith(name[:3].lower()))


def _written(found: re.Match[str], year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return found[0]
