"""One spelling for written numbers: no grouping signs, a point for the decimals, a digit before the point.

| written | read as | |
|---|---|---|
| 1,000  12,345,678.9  1,00,000 | 1000  12345678.9  100000 | commas group (also the Indian way) |
| 1'000  1 000 (no-break or thin space) | 1000 | |
| 1.234.567  1.234,56 | 1234567  1234.56 | points group when there are several, or a comma follows |
| 3,14  1234,50  0,125 | 3.14  1234.50  0.125 | a comma that cannot group is a decimal comma |
| 1,234 | 1234 | either could be meant: the English reading wins |
| 1.234 | 1.234 | either could be meant: the English reading wins |
| 1,2,3  2010,2011 | unchanged | a list |
| .5  1e+6  -$5 | 0.5  1e6  $-5 | |

Digits keep their number: "1.50" stays "1.50", "007" stays "007".
"""

from __future__ import annotations

import regex

from heta_framework.common.text.characters import LETTER

SIGN = rf"(?<!{LETTER}|[-)\]%])-"
"""A `regex` (VERSION1) for a hyphen that is a minus sign when a digit follows: it does not join two things ("3-5")."""

_NUMERAL = regex.compile(
    rf"""
    (?=[.\d]) (?<!{LETTER})
    (?: (?<!\d[.]) (?P<points> [1-9]\d{{0,2}} (?: (?:\.\d{{3}})+,\d+(?![.,']?\d) | (?:\.\d{{3}}){{2,}}(?!\.?\d) ) )
      | (?<!\d[.,'])
        (?: (?P<commas> [1-9]\d{{0,2}}(?:,\d{{3}})+(?:\.\d+)? | [1-9]\d?(?:,\d\d)+,\d{{3}}(?:\.\d+)? )
          | (?P<apostrophes> [1-9]\d{{0,2}}(?:'\d{{3}})+(?:[.,]\d+)? )
          | (?P<decimals> \d{{1,3}},(?:\d\d?|\d{{4,}}) | \d{{4,}},\d\d? | 0,\d+ )
          | (?<![.,']) (?P<bare> \.\d+ )
        ) (?! [.,']?\d )
    )
    """,
    flags=regex.VERBOSE | regex.VERSION1,
)
_MINUS_BEFORE_CURRENCY = regex.compile(rf"{SIGN}(\p{{Sc}})(?=\d)", flags=regex.VERSION1)
_PLUS_IN_EXPONENT = regex.compile(r"(?<=\de)\+(?=\d)")


def plain_numerals(text: str) -> str:
    """Return text that `unify` has prepared with every number in plain spelling, by the table of this module."""
    text = _MINUS_BEFORE_CURRENCY.sub(r"\1-", _PLUS_IN_EXPONENT.sub("", text))
    return _NUMERAL.sub(_plain, text)


def _plain(numeral: regex.Match[str]) -> str:
    written = numeral[0]
    match numeral.lastgroup:
        case "points":
            return written.replace(".", "").replace(",", ".")
        case "commas":
            return written.replace(",", "")
        case "bare":
            return f"0{written}"
        case _:
            return written.replace("'", "").replace(",", ".")
