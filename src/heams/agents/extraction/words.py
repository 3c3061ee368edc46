"""Words as the extraction sees them: lower-case form, stem, and whether they carry content."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

from heams.agents.extraction.vocabulary import BASE_FORMS, FUNCTION, LIGHT

WORD = re.compile(r"\d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?(?!\w)|\w+(?:['’](?:t|s|re|ve|ll|d|m)\b)?", re.IGNORECASE)

_LONGEST_KEPT = 40  # letters; longer "words" are keys or noise, not worth a place in memory
_CONTRACTION = re.compile(r"['’]\w+$")
_SHORTEST_ADVERB = 6


class Word(NamedTuple):
    """One word. ``bare`` is its lower-case form without a contracted ending ("ada's": "ada").

    ``stem`` unites inflections. ``content`` is False for words that only join, ask or chat, ``light`` is True for
    content words that open or fill an answer without being one ("started", "great", "recently").
    """

    lower: str
    bare: str
    stem: str
    content: bool
    light: bool
    capital: bool


def word(surface: str) -> Word:
    """The word that is written ``surface``."""
    return _kept(surface) if len(surface) <= _LONGEST_KEPT else _read(surface)


def _read(surface: str) -> Word:
    lower = surface.lower().replace("’", "'")
    bare = _CONTRACTION.sub("", lower)
    capital = surface[:1].isupper()
    adverb = len(lower) >= _SHORTEST_ADVERB and lower.endswith("ly") and not capital
    content = lower not in FUNCTION and bare not in FUNCTION
    return Word(lower, bare, _stem(bare), content, adverb or lower in LIGHT, capital)


_kept = lru_cache(maxsize=65_536)(_read)


def _stem(lower: str) -> str:
    """The Snowball stem; irregular forms are brought to their base first. Other scripts have no English endings."""
    if not lower.isascii():
        return lower
    found = _stemmer()(BASE_FORMS.get(lower, lower))
    return found[0] if len(found) == 1 else lower


@cache
def _stemmer() -> Callable[[str], list[str]]:
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    analyze: Callable[[str], list[str]] = (
        TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.stemmer("english")).build().analyze
    )
    return analyze
