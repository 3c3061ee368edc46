"""What kind of fact a gold answer is, and how it is written in another form or turned into another fact."""

import re
from datetime import date, timedelta
from enum import StrEnum
from typing import NamedTuple

_MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
_MONTH = "(?P<month>" + "|".join(_MONTHS) + ")"
_DATES = (
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)? {_MONTH},? (?P<year>\d{{4}})\b", re.IGNORECASE),
    re.compile(rf"\b{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})\b", re.IGNORECASE),
)
_NUMBER = re.compile(r"(?<![\w.,/:'-])(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?=[.,;!?)]*(?:\s|$)|%|°)")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d\.?")
_POLAR = re.compile(r"(?:(?:most )?likely |probably )?(?P<side>yes|no)\b(?![^;,.]*\w)", re.IGNORECASE)
_NO_ELEMENT = re.compile(r"(?:yes|no|but|because|since|as|which|who|so|likely|not)\b", re.IGNORECASE)
_SPELLED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"  # noqa: SIM905
    " seventeen eighteen nineteen twenty".split()
)
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_SPELLED[2:])})\b", re.IGNORECASE)
_NAME = re.compile(r"[^\W\d_a-z][\w'’.-]*(?: (?:[^\W\d_a-z][\w'’.-]*|of|the|de|do|da|von|van))*")
_BETWEEN = re.compile(r",(?!\d{3})\s*(?:and\s+)?")
_MOST_WORDS = 12
_MOST_WORDS_OF_ELEMENT = 6


class FactKind(StrEnum):
    """Kinds of gold answers, as far as their form tells."""

    POLAR = "polar"
    LIST = "list"
    DATE = "date"
    NUMBER = "number"
    NAME = "name"
    TEXT = "text"
    LONG = "long"


class FoundDate(NamedTuple):
    """A full date at ``text[start:end]``."""

    start: int
    end: int
    day: date


def kind_of(text: str) -> FactKind:
    """The kind of a gold answer."""
    if opposite_side(text) is not None:
        return FactKind.POLAR
    if find_date(text) is not None:
        return FactKind.DATE
    if len(elements(text)) > 1:
        return FactKind.LIST
    if number_in(text) is not None:
        return FactKind.NUMBER
    if _NAME.fullmatch(text.strip().rstrip(".")):
        return FactKind.NAME
    return FactKind.TEXT if len(text.split()) <= _MOST_WORDS else FactKind.LONG


def elements(text: str) -> list[str]:
    """The elements of a list in words: "a, b and c"; one element for anything else.

    A comma after which more than a few words stand separates clauses, not elements.
    """
    if ";" in text or _NUMBER.fullmatch(text.strip()):
        return [text]
    parts = [part.strip() for part in _BETWEEN.split(text.strip().rstrip(".")) if part.strip()]
    return parts if len(parts) > 1 and all(map(_may_be_element, parts)) else [text]


def opposite_side(text: str) -> str | None:
    """ "no" for an answer that says yes, and the other way round; None for other answers."""
    found = _POLAR.match(text.strip())
    return None if found is None else {"yes": "no", "no": "yes"}[found["side"].lower()]


def find_date(text: str) -> FoundDate | None:
    """The first full date in words."""
    for pattern in _DATES:
        for match in pattern.finditer(text):
            try:
                day = date(int(match["year"]), _MONTHS.index(match["month"].capitalize()) + 1, int(match["day"]))
            except ValueError:
                continue
            return FoundDate(match.start(), match.end(), day)
    return None


def in_words(day: date) -> str:
    """Such as ``8 May 2023``."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def other_spelling(text: str) -> str | None:
    """The same fact with its date or number in another format; None where it has neither."""
    found = find_date(text)
    if found is not None:
        return text[: found.start] + _other_format(found, text) + text[found.end :]
    number = number_in(text)
    if number is None:
        return None
    other = _respelled(number.group())
    return text[: number.start()] + other + text[number.end() :] if other else None


def number_in(text: str) -> re.Match[str] | None:
    """The first number, in digits or as a word up to twenty ("one" is none: it is a pronoun too often)."""
    return _NUMBER.search(text) or _NUMBER_WORD.search(text)


def another_number(found: str, by: int) -> str:
    """A number in the same form that is greater by ``by``, at least 1."""
    if found.lower() in _SPELLED:
        value = _SPELLED.index(found.lower()) + by
        return _SPELLED[value] if value < len(_SPELLED) else str(value)
    if "." in found:
        return f"{float(found) + by:.{len(found.partition('.')[2])}f}"
    return f"{int(found.replace(',', '')) + by:{',' if ',' in found else ''}}"


def another_day(day: date, by: int) -> date:
    """A day that is ``by`` days off, back in time at the end of the calendar."""
    try:
        return day + timedelta(days=by)
    except OverflowError:
        return day - timedelta(days=by)


def is_year(number: str) -> bool:
    """Whether a number in digits reads as a year."""
    return _YEAR.fullmatch(number) is not None


def _may_be_element(part: str) -> bool:
    return len(part.split()) <= _MOST_WORDS_OF_ELEMENT and not _YEAR.fullmatch(part) and not _NO_ELEMENT.match(part)


def _other_format(found: FoundDate, text: str) -> str:
    day_first = text[found.start].isdigit()
    month = _MONTHS[found.day.month - 1]
    return f"{month} {found.day.day}, {found.day.year}" if day_first else found.day.isoformat()


def _respelled(number: str) -> str | None:
    if number.lower() in _SPELLED:
        return str(_SPELLED.index(number.lower()))
    if "," in number:
        return number.replace(",", "")
    return _SPELLED[int(number)] if number.isdecimal() and 2 <= int(number) < len(_SPELLED) else None
