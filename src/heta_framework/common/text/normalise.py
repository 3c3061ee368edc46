"""Answer normalisation that keeps what an answer means: digits, signs, decimals, scripts and emoji.

`tokens` cuts a text into the parts that are compared, `normalise` joins them again. After `characters.unify` and
`numerals.plain_numerals` the rules are:

1. A word is a run of letters, combining marks and digits. In scripts without spaces between words (Chinese, Japanese,
   Thai, Lao, Khmer, Burmese), and in Korean, each character with its marks is a token, and spaces between such
   characters do not count.
2. A number keeps its minus sign and its decimals: "(3.14)" is "3.14" and "-5" is "-5". A hyphen that joins two things
   is no sign: "3-5" is "3 5", "covid-19" is "covid 19". A plus sign is dropped.
3. Times, dates, fractions, versions and powers stay whole: "10:30", "5/8/2023", "1/2", "1.2.3", "10^3", "1e-3".
4. "%" after a number, currency signs, emoji and mathematical signs beyond ASCII are tokens of their own. Skin tones do
   not count. "+" and "#" at the end of a word belong to it: "c++", "a+".
5. An apostrophe between letters and the points of an abbreviation are deleted: "don't" is "dont", "p.m." is "pm". All
   other punctuation separates: "well-known" is "well known", "and/or" is "and or".
6. The articles a, an, the are removed as whole words where another word follows; the A of "vitamin A" is no article.

SQuAD's rules delete punctuation and so make "3.14" and "314" equal; here numbers are equal only in spelling variants
of one value.
"""

from __future__ import annotations

import regex

from heta_framework.common.text.characters import LETTER, UNSPACED, unify
from heta_framework.common.text.numerals import SIGN, plain_numerals

_ARTICLES = frozenset({"a", "an", "the"})
_LONE = r"(?<![\p{L}\p{M}\p{N}])\p{Ll}"
_DELETED = regex.compile(
    rf"(?<=\p{{Ll}})'(?=\p{{Ll}})|(?<={_LONE}|\.\p{{Ll}})\.(?=\p{{Ll}}(?![\p{{L}}\p{{M}}\p{{N}}]))"
)
_TOKEN = regex.compile(
    rf"""
    (?:{SIGN}(?=\d))? {LETTER}+ (?: (?: (?<=\d)[.:/] | (?<=\d)\^-? | (?<=\de)- ) (?=\d){LETTER}+ )*
    (?: (?<=\p{{L}})[+\#]++(?!{LETTER}) )?
  | {UNSPACED}\p{{M}}*
  | (?<=\d\ ?)%
  | [\p{{Sc}}\p{{So}}\p{{Cn}}[\p{{Sm}}--[+<=>|~]]]
    """,
    flags=regex.VERBOSE | regex.VERSION1,
)
_UNSPACED_GAP = regex.compile(rf"(?<={UNSPACED}\p{{M}}*)\ (?={UNSPACED})", flags=regex.VERSION1)


def normalise(text: str) -> str:
    """The tokens of `text` joined by single spaces, none before "%" nor between characters of scripts without spaces.

    Idempotent; empty when nothing of the text counts (blank, "...").
    """
    joined = " ".join(tokens(text)).replace(" %", "%")
    return joined if joined.isascii() else _UNSPACED_GAP.sub("", joined)


def tokens(text: str) -> list[str]:
    """The parts of `text` that count, in order, by the rules of this module. Any text is accepted."""
    found: list[str] = _TOKEN.findall(_DELETED.sub("", plain_numerals(unify(text))))
    return [token for token in found[:-1] if token not in _ARTICLES] + found[-1:]
