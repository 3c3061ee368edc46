"""An item's text taken apart once: sentences of words with their places, and the stems they contain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from heams.agents.extraction.words import WORD, Word, word

_KEPT_CHARACTERS = 8_000_000
# What runs on longer is cut there, so that later work on one sentence is bounded whatever the text.
_LONGEST_SENTENCE = 120  # words
_WIDEST_SENTENCE = 1_000  # characters
_LONGEST_WORD = 100
_OPENING = '"“«'
_SENTENCE_END = re.compile(
    r"(?<![.!?…])(?<!\b[DMS]r)(?<!\bMrs)(?<!\bMs)(?<!\bvs)[.!?…]++[\"”’)]{0,3}(?=\s|$)|[。！？\n]|(?=\[)|(?<=\])"
)


class Sentence(NamedTuple):
    """``words[i]`` is ``text[starts[i]:ends[i]]``. ``stems`` are those of content words.

    ``asks`` marks a question, ``aside`` bracketed text such as image captions.
    """

    text: str
    words: tuple[Word, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    stems: frozenset[str]
    asks: bool
    aside: bool

    def cut(self, first: int, last: int) -> str:
        """The text from word ``first`` up to and including word ``last``."""
        return self.text[self.starts[first] : self.ends[last]]


class Passage(NamedTuple):
    """All sentences of one text, the stems of all of them, and of those that are no questions."""

    sentences: tuple[Sentence, ...]
    stems: frozenset[str]
    told: frozenset[str]


class PassageCache:
    """Passages by their text. Holds texts of ``capacity`` characters in all; the oldest leave first."""

    def __init__(self, capacity: int = _KEPT_CHARACTERS) -> None:
        self._capacity = capacity
        self._size = 0
        self._passages: dict[str, Passage] = {}

    def __call__(self, text: str) -> Passage:
        """The passage of ``text``, read if need be."""
        known = self._passages.get(text)
        if known is None:
            known = self._passages[text] = _read(text)
            self._size += len(text)
            self._make_room()
        return known

    def _make_room(self) -> None:
        while self._size > self._capacity:
            oldest = next(iter(self._passages))
            del self._passages[oldest]
            self._size -= len(oldest)


analyse = PassageCache()
"""The passage of a text; kept, because the same turns are recalled for many questions."""


def _read(text: str) -> Passage:
    sentences = tuple(sentence for piece in _pieces(text) for sentence in _sentences(piece))
    told = frozenset[str]().union(*(sentence.stems for sentence in sentences if not sentence.asks))
    return Passage(sentences, told.union(*(sentence.stems for sentence in sentences if sentence.asks)), told)


def _pieces(text: str) -> Iterator[str]:
    began = 0
    for end in _SENTENCE_END.finditer(text):
        yield text[began : end.end()].strip()
        began = end.end()
    yield text[began:].strip()


def _sentences(piece: str) -> Iterator[Sentence]:
    part: list[re.Match[str]] = []
    for match in WORD.finditer(piece):
        if match.end() - match.start() > _LONGEST_WORD:
            continue
        if part and (len(part) == _LONGEST_SENTENCE or match.end() - part[0].start() > _WIDEST_SENTENCE):
            yield _sentence(piece, part)
            part = []
        part.append(match)
    if part:
        yield _sentence(piece, part)


def _sentence(piece: str, part: list[re.Match[str]]) -> Sentence:
    base, end = part[0].start(), part[-1].end()
    base -= base > 0 and piece[base - 1] in _OPENING
    words = tuple(word(match.group()) for match in part)
    return Sentence(
        text=piece[base : end + 5],
        words=words,
        starts=tuple(match.start() - base for match in part),
        ends=tuple(match.end() - base for match in part),
        stems=frozenset(one.stem for one in words if one.content),
        asks="?" in piece[end : end + 5],
        aside=piece.startswith("["),
    )
