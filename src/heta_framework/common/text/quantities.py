"""The numbers in a text.

Text is first prepared by `characters.unify` and `numerals.plain_numerals`, so both conventions of writing thousands and
decimals are understood where they are unambiguous. A number has

- an optional minus: "-5", "minus 5", "negative 5", "-$5";
- decimals, an exponent ("1.5e3", "1.5 × 10^3", "10³") or a denominator ("3/4", "1 1/2");
- optionally one of the words hundred, thousand, million, billion, trillion behind it;
- optionally "%", "percent" or "per cent" behind it.

Units and currency signs are ignored. Dates, times, versions and other chains ("2023-05-08", "10:30", "1.2.3"), powers
of another base than ten and digits inside words ("covid19") are no numbers. Number words from zero to ninety-nine count
only in a text without any other number; longer ones ("two hundred and five") are not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isfinite, nan
from typing import NamedTuple

import regex

from heta_framework.common.text.characters import LETTER, unify
from heta_framework.common.text.numerals import SIGN, plain_numerals

_UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORD_VALUES = {
    **{word: float(value) for value, word in enumerate(_UNITS + _TEENS)},
    **{word: 10.0 * tens for tens, word in enumerate(_TENS, start=2)},
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_UNIT, _TEN, _SCALE = ("|".join(words) for words in (_UNITS[1:], _TENS, _SCALES))
_FIRST_WORD = "|".join(_WORD_VALUES)
_ANY_WORD = f"{_FIRST_WORD}|{_SCALE}"

_MINUS = rf"(?P<minus>{SIGN}|(?<!{LETTER})(?:minus|negative)\ )?"
_PERCENT = rf"(?P<percent>\ ?%|\ (?:percent|per\ cent)(?!{LETTER}))?"
# [0-9], not \d: `unify` made every digit ASCII that Python knows, and `regex` knows more, which float() refuses
_DIGITS = regex.compile(
    rf"""
    {_MINUS} (?<!{LETTER} | [0-9][.:/^])
    (?: 10\^(?P<power>-?[0-9]++)
      | (?P<chain> [0-9]++(?P<joint>[-.:/])[0-9]++(?:(?P=joint)[0-9]++)+ | [0-9]++:[0-9]++ | [0-9]++\^-?[0-9]++ )
      | (?: (?P<whole>[0-9]++)\ )? (?P<numerator>[0-9]++(?:\.[0-9]++)?)/(?P<denominator>[0-9]++(?:\.[0-9]++)?)
      | (?P<mantissa>[0-9]++(?:\.[0-9]++)?) (?: e(?P<exponent>-?[0-9]++) | \ ?[x×*·⋅]\ ?10\^(?P<exponent>-?[0-9]++) )?
    )
    (?: [\ -]?(?P<scale>{_SCALE})(?!{LETTER}) )? {_PERCENT}
    """,
    flags=regex.VERBOSE | regex.VERSION1,
)
_WORD_RUN = regex.compile(
    rf"""
    {_MINUS} (?<!{LETTER}) (?!(?<=\bno\ )one)
    (?P<run> (?:{_ANY_WORD}) (?: [\ -](?:{_ANY_WORD}) | (?<={_SCALE})\ and\ (?:{_ANY_WORD}) )* )
    (?!{LETTER}) {_PERCENT}
    """,
    flags=regex.VERBOSE | regex.VERSION1,
)
_SIMPLE_WORDS = regex.compile(
    rf"(?P<first>{_FIRST_WORD})(?:(?<={_TEN})[ -](?P<unit>{_UNIT}))?(?:[ -](?P<scale>{_SCALE}))?"
)


class Quantity(NamedTuple):
    """A finite number, whether a percent sign follows it, and where it starts in the prepared text."""

    value: float
    percent: bool
    start: int

    def __str__(self) -> str:
        return f"{self.value:.12g}{'%' * self.percent}"


def prepare(text: str) -> str:
    """The text in which `quantities` looks: one spelling for characters and numerals, single spaces."""
    return " ".join(plain_numerals(unify(text)).split())


def quantities(prepared: str) -> list[Quantity]:
    """The numbers of a text from `prepare`, in order. Numbers that overflow or divide by zero are left out."""
    return list(_found(_DIGITS, _digits_value, prepared)) or list(_found(_WORD_RUN, _words_value, prepared))


def _found(
    pattern: regex.Pattern[str], value_of: Callable[[regex.Match[str]], float], prepared: str
) -> Iterator[Quantity]:
    for written in pattern.finditer(prepared):
        value = -value_of(written) if written["minus"] else value_of(written)
        if isfinite(value):
            yield Quantity(value, bool(written["percent"]), written.start())


def _digits_value(written: regex.Match[str]) -> float:
    if written["chain"]:
        return nan
    scale = _SCALES.get(written["scale"], 1.0)
    if written["power"]:
        return scale * float(f"1e{written['power']}")
    if written["denominator"]:
        denominator = float(written["denominator"])
        return (
            scale * (float(written["whole"] or 0) + float(written["numerator"]) / denominator) if denominator else nan
        )
    return scale * float(f"{written['mantissa']}e{written['exponent'] or 0}")


def _words_value(written: regex.Match[str]) -> float:
    simple = _SIMPLE_WORDS.fullmatch(written["run"])
    if not simple:
        return nan
    return (_WORD_VALUES[simple["first"]] + _WORD_VALUES.get(simple["unit"], 0.0)) * _SCALES.get(simple["scale"], 1.0)
