"""Integers from 0 to 999 that stand alone in a text: no part of a decimal, time, fraction, power, word or range."""

from collections.abc import Iterator
from unicodedata import category, decimal, normalize

import regex

_HIGHEST = 999
_WRAPPER = regex.compile(
    r"\\(?:text|textbf|textit|textrm|mathbf|mathrm|mathsf|mathit|boldsymbol|mbox|bf|rm|fbox)\s*\{([^{}]*)\}"
)
_FRACTION = regex.compile(r"\\[dtc]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_POWER = regex.compile(r"([\^_])\s*\{[^{}]*\}")
_DEGREES = regex.compile(r"\^\s*(?:\{\s*)?\\circ(?:\s*\})?|°")
_MACRO = regex.compile(r"\\[A-Za-z]+\*?\s*(?:\[[^\[\]]*\])?(?:\{[^{}]*\})+")
_THIN_GAP = regex.compile(r"(?<=\d)(?:\\[,!]|\{,\})(?=\d)")
_FRAME = regex.compile(r"\\[()\[\]]|\$|\*\*|__|`|\\(?:left|right|displaystyle|quad|qquad)\b|</?[A-Za-z][^<>\n]{0,40}>")
_STANDALONE = regex.compile(
    r"""
    (?<![\p{L}\d_^/\\] | \d[.,:;'] | (?<!\w)[.] | [-\u2212\u2013] | [\w)}\]][+*\u00d7\u00b7])
    (?<! \b(?:not|isn['\u2019]t|wasn['\u2019]t|no) \s+ | (?:\u2260|!=|\\neq?) \s* | \d\s+or\s+)
    [+]? (?P<digits>\d++) (?:\.0++(?![\d]))?
    (?! [\p{L}\d_^/\u00b2\u00b3\u00b9\u2070-\u2079] | [.,:;']\d | \s*\\?% | \s+or\s+\d)
    (?! [-\u2212\u2013]\w | [+*\u00d7\u00b7][\w({\\])
    """,
    regex.X | regex.I,
)
_WHOLE = regex.compile(r"[+]?(?P<digits>\d++)(?:\.0++)?[.,;:]?")
_OPERATOR = regex.compile(r"\s*(?:[-+*/=^\u00d7\u00b7\u2212]|\\(?:cdot|times|div)\b)")


def plain(text: str) -> str:
    """``text`` without mark-up: digits of any width as usual ones, macros that only format opened, others taken out."""
    text = "".join(_simple(character) for character in text)
    for _ in range(3):  # formatting nests, but not deeply
        text = _WRAPPER.sub(r" \1 ", text)
    text = _FRACTION.sub(r"\1/\2", _DEGREES.sub("", text))
    text = _THIN_GAP.sub(",", text)
    text = _MACRO.sub(" ", _POWER.sub(r"\1x", text))
    return _FRAME.sub(" ", text)


def last_integer(text: str) -> int | None:
    """The last integer of a plain text that stands alone."""
    last = None
    for number, _ in _found(text):
        last = number
    return last


def first_integer(text: str) -> int | None:
    """The first of them that is no term of a calculation (``100 + 104 = 204`` gives 204)."""
    return next((number for number, end in _found(text) if not _OPERATOR.match(text, end)), None)


def whole_integer(text: str) -> int | None:
    """The integer that a text is, mark-up, leading zeros and a closing point aside; None where it is anything else."""
    found = _WHOLE.fullmatch(plain(text).strip().strip("\"'\u201c\u201d\u2018\u2019"))
    return None if found is None else _answer(found["digits"])


def _found(text: str) -> Iterator[tuple[int, int]]:
    """Number and end of each."""
    for match in _STANDALONE.finditer(text):
        number = _answer(match["digits"])
        if number is not None:
            yield number, match.end()


def _answer(digits: str) -> int | None:
    significant = digits.lstrip("0") or "0"
    return int(significant) if len(significant) <= len(str(_HIGHEST)) else None


def _simple(character: str) -> str:
    if character.isascii():
        return character
    if category(character) == "Cf":  # zero-width characters
        return ""
    if decimal(character, None) is not None:  # never superscripts: they have no decimal value
        return normalize("NFKC", character)
    return character
