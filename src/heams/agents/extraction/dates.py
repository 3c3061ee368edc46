"""Expressions of time in a sentence, resolved against the day on which it was said.

"yesterday" said on 8 May 2023 is "7 May 2023"; "last week" is "the week before 8 May 2023". Without that day, relative
expressions keep their words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from heams.agents.extraction import periods
from heams.agents.extraction.numbers import QUANTITY, value_of
from heams.agents.extraction.periods import Period

_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAY = r"(?P<weekday>(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?)\b"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)\b"
_YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)\b"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b"
_SIDE = r"(?P<side>last|past|(?:this|the) past|next|(?:this )?coming|upcoming|this)"
_FUTURE = re.compile(
    r"\b(?:will|going to|gonna|plan(?:s|ning|ned)?|soon|upcoming|can['’]t wait|looking forward|leav(?:e|ing))\b"
    r"|['’]ll\b",
    re.IGNORECASE | re.ASCII,
)
_MONTH_STARTS = [name[:3].lower() for name in periods.MONTHS]
_WEEKDAY_STARTS = [name[:3].lower() for name in periods.WEEKDAYS]


class Mention(NamedTuple):
    """An expression of time at ``text[start:end]``. ``period`` is None where it could not be resolved."""

    start: int
    end: int
    words: str
    period: Period | None

    @property
    def name(self) -> str:
        """How an answer writes it."""
        return self.period.name if self.period else self.words


class _Said(NamedTuple):
    """A match, the day it was said on, and whether the sentence looks ahead."""

    match: re.Match[str]
    day: date
    ahead: bool

    def month(self) -> int:
        return _MONTH_STARTS.index(self.match["month"][:3].lower()) + 1

    def weekday(self) -> int:
        return _WEEKDAY_STARTS.index(self.match["weekday"][:3].lower())

    def direction(self) -> int:
        """-1, 0 or 1 for last, this and next."""
        side = self.match["side"].lower()
        if side == "this":
            return 0
        return -1 if side.endswith(("last", "past")) else 1


def _day_name(said: _Said) -> Period | None:
    words = said.match.group().lower()
    if "before" in words or "after" in words:
        return periods.day_at(said.day, -2 if "before" in words else 2)
    if words.startswith(("yesterday", "last")):
        return periods.day_at(said.day, -1)
    return periods.day_at(said.day, 1 if "tomorrow" in words else 0)


def _distance(said: _Said) -> Period | None:
    direction = -1 if said.match["way"].lower().endswith(("ago", "back")) else 1
    number, unit = value_of(said.match["count"]), said.match["unit"].lower()
    if number is None:
        return periods.few_off(said.day, direction, unit)
    return periods.ago(said.day, -direction * number, unit)


def _neighbour(said: _Said) -> Period | None:
    direction, unit = said.direction(), said.match["unit"].lower()
    if unit == "week":
        return periods.weeks_off(said.day, direction)
    if unit == "weekend":
        return periods.weekends_off(said.day, direction)
    if unit == "month":
        return periods.month_of(said.day.year, said.day.month, direction)
    return periods.year_of(said.day.year + direction)


def _near_weekday(said: _Said) -> Period | None:
    direction = said.direction() if said.match["side"] else 0
    return periods.near_weekday(said.day, said.weekday(), direction or (1 if said.ahead else -1))


def _near_month(said: _Said) -> Period | None:
    direction = said.direction() if said.match["side"] else 0
    if said.match["month"] == "may" and said.match["side"]:  # "this may be ..."
        return None
    return periods.near_month(said.day, said.month(), direction or int(said.ahead))


def _near_season(said: _Said) -> Period | None:
    return periods.near_season(said.day, said.match["season"].lower(), said.direction())


def _number_of_month(said: _Said) -> Period | None:
    return periods.near_number(said.day, int(said.match["day"]), ahead=said.ahead)


def _day_of_month(said: _Said) -> Period | None:
    return periods.nearest_day(said.day, said.month(), int(said.match["day"]))


def _full_date(said: _Said) -> Period | None:
    return periods.exact_day(int(said.match["year"]), said.month(), int(said.match["day"]))


def _iso_date(said: _Said) -> Period | None:
    return periods.exact_day(int(said.match["year"]), int(said.match["number"]), int(said.match["day"]))


_ABSOLUTE: tuple[tuple[str, Callable[[_Said], Period | None]], ...] = (
    (rf"\b{_YEAR}-(?P<number>[01]\d)-{_DAY}", _iso_date),
    (rf"\b{_DAY}(?: of)? {_MONTH},? {_YEAR}", _full_date),
    (rf"\b{_MONTH} {_DAY},? {_YEAR}", _full_date),
    (rf"\b{_MONTH}(?:,| of)? {_YEAR}", lambda said: periods.month_of(int(said.match["year"]), said.month())),
    (
        rf"\b{_SEASON}(?:,| of)? {_YEAR}",
        lambda said: periods.season_of(int(said.match["year"]), said.match["season"].lower()),
    ),
    (
        rf"\b(?:in|since|of|by|until|from|during|around|early|late|the year) {_YEAR}(?![-/:.,]\d)",
        lambda said: periods.year_of(int(said.match["year"])),
    ),
)
_RELATIVE: tuple[tuple[str, Callable[[_Said], Period | None]], ...] = (
    (r"\bday (?:before yesterday|after tomorrow)\b", _day_name),
    (r"\b(?:yesterday|tomorrow|today|tonight|last night|this (?:morning|afternoon|evening))\b", _day_name),
    (rf"\b(?P<count>{QUANTITY}) (?P<unit>day|week|weekend|month|year)s? (?P<way>ago|back|from now)\b", _distance),
    (rf"\b{_SIDE} (?P<unit>week|weekend|month|year)\b", _neighbour),
    (rf"\b{_SIDE} {_SEASON}", _near_season),
    (rf"\b(?:{_SIDE}|on) {_WEEKDAY}", _near_weekday),
    (rf"\b{_DAY}(?: of)? {_MONTH}", _day_of_month),
    (rf"\b{_MONTH} {_DAY}(?!:)", _day_of_month),
    (r"\bon the (?P<day>[0-3]?\d)(?:st|nd|rd|th)\b", _number_of_month),
    (rf"\b(?:{_SIDE}|in|since|during|until|by|of|early|late|mid|around) {_MONTH}", _near_month),
)
_RULES = [
    (re.compile(pattern, re.IGNORECASE | re.ASCII), resolve, relative)
    for table, relative in ((_ABSOLUTE, False), (_RELATIVE, True))
    for pattern, resolve in table
]
# most sentences name no time: one look is cheaper than all rules
_HINT = re.compile(
    r"\d|\b(?:yesterday|today|tomorrow|tonight|ago|back|from now)\b"
    r"|\b(?:last|past|this|next|coming|upcoming) [a-z]"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)",
    re.IGNORECASE | re.ASCII,
)
_SOMETIME = date(2000, 1, 1)


@lru_cache(maxsize=8_192)
def mentions(text: str, day: date | None) -> tuple[Mention, ...]:
    """The expressions of time in ``text``, in order, none inside another; ``day`` is when it was said."""
    if _HINT.search(text) is None:
        return ()
    ahead = _FUTURE.search(text) is not None
    found: list[Mention] = []
    for pattern, resolve, relative in _RULES:
        for match in pattern.finditer(text):
            if any(match.start() < other.end and other.start < match.end() for other in found):
                continue
            unknown = relative and day is None
            period = None if unknown else resolve(_Said(match, day or _SOMETIME, ahead))
            if period is not None or unknown:
                found.append(Mention(match.start(), match.end(), match.group(), period))
    return tuple(sorted(found))
