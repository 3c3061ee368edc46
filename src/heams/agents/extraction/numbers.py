"""Numbers in words and digits, durations and frequencies."""

from __future__ import annotations

import re

_UP_TO_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
)
_TENS = "thirty forty fifty sixty seventy eighty ninety"
_SMALL = _UP_TO_TWENTY.split()
_VALUES = {
    **{name: value for value, name in enumerate(_SMALL)},
    **{name: 10 * value for value, name in enumerate(_TENS.split(), start=3)},
    **dict.fromkeys(("a", "an", "once"), 1),
    **dict.fromkeys(("couple", "twice"), 2),
    "dozen": 12,
    "hundred": 100,
    "thousand": 1000,
}
_NUMBER_WORDS = frozenset(_VALUES) - {"a", "an", "couple", "zero"}
_SPELLED = "|".join(
    sorted(_NUMBER_WORDS - {"once", "twice", "hundred", "thousand"}, key=lambda name: (-len(name), name))
)
_UNIT = "second|minute|hour|night|day|week|weekend|month|year|decade"

QUANTITY = rf"(?:\d{{1,4}}|{_SPELLED}|an?(?! few| couple)|(?:a )?couple(?: of)?|(?:a )?few|several)"
"""A number of things, as a part of patterns; `value_of` reads it."""

DURATION = re.compile(
    r"\b(?:(?:about|around|nearly|almost|over|roughly|more than|less than|at least|only) )?"
    rf"(?:{QUANTITY}|\d{{1,4}}\.\d|half an?)(?: and a half)?(?:-| (?:[a-z]{{3,9}} )?)(?:{_UNIT})s?\b"
    r"(?: and a half)?(?! (?:before|after|earlier|later))",
    re.IGNORECASE | re.ASCII,
)
SINCE = re.compile(r"\bsince (?:[a-z]{3,9} )?(?:19|20)\d\d\b", re.IGNORECASE | re.ASCII)
FREQUENCY = re.compile(
    rf"\b(?:(?:once|twice|thrice|{QUANTITY} times)(?: or (?:twice|thrice|\w{{1,9}} times))?"
    rf"(?: (?:a|an|per|every) (?:{_UNIT}))?"
    rf"|every (?:other |single |few )?(?:\w{{1,9}} )?"
    rf"(?:{_UNIT}|morning|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?"
    r"|daily|weekly|monthly|yearly|annually|(?:multiple|several|many) times(?: (?:a|per) \w{1,9})?)\b",
    re.IGNORECASE | re.ASCII,
)
CLOCK = re.compile(r"\b\d{1,2}(?::\d\d)?\s?(?:am|pm|a\.m\.|p\.m\.|o'clock)|\b\d{1,2}:\d\d\b", re.IGNORECASE | re.ASCII)
MONEY = re.compile(
    r"[$€£¥]\s?\d[\d.,]*(?:\s?(?:k|m|million|thousand|billion))?|\b\d[\d.,]*\s?(?:dollars|euros|pounds|bucks)\b",
    re.IGNORECASE | re.ASCII,
)


def value_of(text: str) -> int | None:
    """The whole number that a `QUANTITY` names ("3", "three", "a couple of"); None for "a few" and "several"."""
    last = text.lower().removesuffix(" of").rpartition(" ")[2]
    return int(last) if last.isdecimal() else _VALUES.get(last)


def is_number(lower: str) -> bool:
    """Whether a word is a number in digits or letters."""
    return lower[:1].isdigit() or lower in _NUMBER_WORDS


def spelled(number: int) -> str:
    """A whole number as texts write it: in letters up to twenty."""
    return _SMALL[number] if 0 <= number < len(_SMALL) else str(number)
