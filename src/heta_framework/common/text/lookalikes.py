"""Text in plain letters: no accents on Latin letters, no possessives, and look-alikes as what they look like.

For finding a name or a value in whatever guise somebody writes it: "Zoë's" is "Zoe", and a Cyrillic letter among Latin
ones is the Latin letter that it looks like. Words that are wholly of another script stay as they are, and so do their
marks. Letters are all that changes: see `normalise` for what counts as a token.
"""

from __future__ import annotations

import unicodedata

import regex

_LOOKALIKES = str.maketrans(
    "аАВсСеЕНіІјЈКМоОрРѕЅТхХуУԁһՏαΑΒΕΖΗΙΚΜΝοΟρΡΤΥυΧνıɑɡ",
    "aABcCeEHiIjJKMoOpPsSTxXyYdhSaABEZHIKMNoOpPTYuXviag",
)
_WORD = regex.compile(r"[\p{L}\p{M}]++")
_LATIN = regex.compile(r"\p{Latin}")
_MARKED = regex.compile(r"(\p{Latin})\p{M}++")
_POSSESSIVE = regex.compile(r"(?<=\p{L})['’]s(?![\p{L}\p{M}\p{N}])", regex.IGNORECASE)


def plain_letters(text: str) -> str:
    """The text in plain letters; the same object where nothing is to be changed."""
    plain = text
    if not text.isascii():
        plain = unicodedata.normalize("NFC", _MARKED.sub(r"\1", unicodedata.normalize("NFD", _WORD.sub(_mended, text))))
    if "'" in plain or "’" in plain:
        plain = _POSSESSIVE.sub("", plain)
    return text if plain == text else plain


def _mended(word: regex.Match[str]) -> str:
    return word[0].translate(_LOOKALIKES) if _LATIN.search(word[0]) else word[0]
