"""One spelling for characters that look or mean the same.

`unify` returns text in which only what carries meaning still differs:

- compatibility forms are resolved (NFKC: full-width letters, ligatures, circled digits, composed accents) and case is
  folded ("ß" is "ss");
- invisible characters are dropped: zero-width spaces and joiners, direction marks, soft hyphens, variation selectors,
  the keycap of "5️⃣"; and so are ™ ® ©. Combining marks of any script stay;
- every decimal digit is ASCII ("٣" and "३" are "3"), and so are the Arabic decimal, thousands and percent signs;
- fractions are written out ("½" is "1/2", "1½" is "1 1/2"); superscripts behind a digit become a power ("10⁻³" is
  "10^-3", never "10-3");
- apostrophes and primes are "'"; hyphens, figure and en dashes and minus signs are "-". The em dash stays: nobody
  writes it for a minus;
- a no-break or thin space that groups thousands ("1 000 000") becomes "'", the grouping sign that means nothing else.

The length may change. `unify` is idempotent and accepts any text, lone surrogates included.
"""

from __future__ import annotations

import re
import unicodedata

import regex

UNSPACED = r"[[\p{Han}\p{Hiragana}\p{Katakana}ー\p{Bopomofo}가-힣\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]&&[\p{L}\p{N}]]"
"""A `regex` set (VERSION1): letters of scripts written without spaces, or (Korean) with particles stuck to the word."""

LETTER = rf"[[\p{{L}}\p{{M}}\p{{N}}]--{UNSPACED}]"
"""A `regex` set (VERSION1): letters, marks and digits of all other scripts."""

_INVISIBLE = (
    *(0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x20E3, 0x3164, 0xFEFF, 0xFFA0),
    *(*range(0x180B, 0x1810), *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)),
    *(*range(0xFE00, 0xFE10), *range(0x1D173, 0x1D17B), *range(0xE0100, 0xE01F0)),
)
_FRACTIONS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞↉"
_SPELLING = str.maketrans(
    {
        **dict.fromkeys([*_INVISIBLE, *"™®©℠"], ""),
        **{sign: f" {unicodedata.normalize('NFKC', sign).replace('⁄', '/')} " for sign in _FRACTIONS},
        **dict.fromkeys("‐‑‒–−˗➖﹣－", "-"),
        **dict.fromkeys("‘’‚‛ʼʹ′＇`´", "'"),
        **dict.fromkeys("⁄∕", "/"),
        "٫": ".",
        "٬": ",",
        "٪": "%",
    }
)
_GROUPING_SPACE = regex.compile(r"(?<=(?<!\d)\d{1,3})[\u00a0\u2009\u202f](?=\d{3}(?!\d))")
_POWER = regex.compile(r"(?<=\d)([⁺⁻]?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")


def unify(text: str) -> str:
    """Return `text` with one spelling for each meaning, by the rules of this module."""
    if text.isascii():
        return text.replace("`", "'").lower()
    spelled = _GROUPING_SPACE.sub("'", text.translate(_SPELLING))
    spelled = _POWER.sub(lambda power: f"^{'-' * (power[1] == '⁻')}{unicodedata.normalize('NFKC', power[2])}", spelled)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", spelled).casefold())
    return _FOREIGN_DIGIT.sub(lambda digit: str(int(digit[0])), folded.translate(_SPELLING))
