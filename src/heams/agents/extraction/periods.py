"""Periods of the calendar and how people write them: "7 May 2023", "the week before 9 June 2023", "June 2023", "2022".

Arithmetic that leaves the years 1 to 9999 gives None, never an error.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import wraps
from typing import NamedTuple, ParamSpec

from heams.agents.extraction import numbers

_MONTHS = "January February March April May June July August September October November December"
MONTHS = tuple(_MONTHS.split())
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 2)}
_DAYS = {"day": 1, "week": 7, "weekend": 7, "month": 30, "year": 365}

_P = ParamSpec("_P")


class Period(NamedTuple):
    """A stretch of days, both ends included, and its name in words."""

    name: str
    first: date
    last: date


def _within_calendar(make: Callable[_P, Period | None]) -> Callable[_P, Period | None]:
    @wraps(make)
    def guarded(*args: _P.args, **kwargs: _P.kwargs) -> Period | None:
        try:
            return make(*args, **kwargs)
        except (OverflowError, ValueError):  # beyond the calendar, or no such day (31 June)
            return None

    return guarded


def written(day: date) -> str:
    """A day as people write it: 7 May 2023."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def month_name(day: date) -> str:
    """A month as people write it: May 2023."""
    return f"{MONTHS[day.month - 1]} {day.year}"


def day_period(day: date) -> Period:
    """One day."""
    return Period(written(day), day, day)


@_within_calendar
def day_at(day: date, offset: int) -> Period | None:
    """The day ``offset`` days after ``day``."""
    return day_period(day + timedelta(days=offset))


@_within_calendar
def exact_day(year: int, month: int, day: int) -> Period | None:
    """The day with this date; None if there is none."""
    return day_period(date(year, month, day))


def near_number(day: date, number: int, *, ahead: bool) -> Period | None:
    """The last day, or the next when looking ahead, that is the ``number``-th of its month; today counts."""
    passed = number > day.day if not ahead else number < day.day
    month = month_of(day.year, day.month, (1 if ahead else -1) if passed else 0)
    return exact_day(month.first.year, month.first.month, number) if month else None


def nearest_day(day: date, month: int, number: int) -> Period | None:
    """The occurrence of "3 June" that is nearest to ``day``; None if no year around has that day."""
    found = [exact_day(day.year + offset, month, number) for offset in (-1, 0, 1)]
    return min((period for period in found if period), key=lambda period: abs(period.first - day), default=None)


@_within_calendar
def month_of(year: int, month: int, offset: int = 0) -> Period | None:
    """The month ``offset`` months after the given one."""
    years, index = divmod(month - 1 + offset, 12)
    first = date(year + years, index + 1, 1)
    return Period(month_name(first), first, _month_end(first))


@_within_calendar
def year_of(year: int) -> Period | None:
    """A whole year."""
    return Period(str(year), date(year, 1, 1), date(year, 12, 31))


@_within_calendar
def season_of(year: int, season: str) -> Period | None:
    """A season, of the northern half of the world as English texts mean it; a winter begins in December of ``year``."""
    begins, ends = _SEASONS[season]
    last = date(year + (ends < begins), ends, 1)
    return Period(f"{season} {year}", date(year, begins, 1), _month_end(last))


def ago(day: date, number: int, unit: str) -> Period | None:
    """The period ``number`` units before ``day``, or after it when negative, as exact as the unit.

    ``unit`` is "day", "week", "weekend", "month" or "year". Of "a year ago" the month is known too.
    """
    if unit == "day":
        return day_at(day, -number)
    if unit == "week":
        return weeks_off(day, -number)
    if unit == "weekend":
        return weekends_off(day, -number)
    if unit == "month" or abs(number) == 1:
        return month_of(day.year, day.month, -number * (12 if unit == "year" else 1))
    return year_of(day.year - number)


def near_season(day: date, season: str, direction: int) -> Period | None:
    """The last (-1) season that had ended before ``day``, the next (1) to begin after it, or that of the year (0)."""
    around = [found for offset in (-2, -1, 0, 1) if (found := season_of(day.year + offset, season))]
    if direction < 0:
        return next((found for found in reversed(around) if found.last < day), None)
    if direction > 0:
        return next((found for found in around if found.first > day), None)
    return season_of(day.year, season)


def near_month(day: date, month: int, direction: int) -> Period | None:
    """The named month last before (-1), or next after (1), the month of ``day``; 0 is the nearest not after it."""
    year = day.year
    if direction > 0:
        year += month <= day.month
    elif direction < 0:
        year -= month >= day.month
    else:
        year -= month > day.month
    return month_of(year, month)


@_within_calendar
def weeks_off(day: date, offset: int) -> Period | None:
    """The week that lies ``offset`` weeks off the one of ``day``, told by that day: "the week before 9 June 2023"."""
    return _around(day, offset, "week", day - timedelta(days=day.weekday()), 7)


@_within_calendar
def weekends_off(day: date, offset: int) -> Period | None:
    """The weekend ``offset`` away; 0 is the one that comes, or is now."""
    return _around(day, offset, "weekend", day + timedelta(days=5 - day.weekday()), 2)


@_within_calendar
def near_weekday(day: date, weekday: int, direction: int) -> Period | None:
    """The weekday last before (-1) or next after (1) ``day``: "the Friday before 15 July 2023"."""
    away = (day.weekday() - weekday) % 7 or 7 if direction < 0 else (weekday - day.weekday()) % 7 or 7
    found = day + timedelta(days=direction * away)
    return Period(f"the {WEEKDAYS[weekday]} {_side(direction)} {written(day)}", found, found)


@_within_calendar
def few_off(day: date, direction: int, unit: str) -> Period | None:
    """An unnamed small number of days, weeks, months or years before or after: "a few days before 9 June 2023"."""
    ends = sorted(day + timedelta(days=direction * _DAYS[unit] * count) for count in (2, 6))
    name = f"a few {unit}s {_side(direction)} {written(day)}"
    return Period(name, ends[0], ends[1])


def _around(day: date, offset: int, unit: str, start: date, length: int) -> Period:
    first = start + timedelta(weeks=offset)
    name = f"the {unit} {_side(offset)} {written(day)}"
    if abs(offset) > 1:
        name = f"{numbers.spelled(abs(offset))} {unit}s {_side(offset)} {written(day)}"
    return Period(name, first, first + timedelta(days=length - 1))


def _side(direction: int) -> str:
    return "of" if direction == 0 else "before" if direction < 0 else "after"


def _month_end(first: date) -> date:
    if first.month == 12:
        return date(first.year, 12, 31)
    return date(first.year, first.month + 1, 1) - timedelta(days=1)
