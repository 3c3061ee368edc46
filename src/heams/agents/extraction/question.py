"""What a question asks for: its kind, the words that must be found, whom it is about and when."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from heams.agents.extraction.dates import mentions
from heams.agents.extraction.periods import Period
from heams.agents.extraction.vocabulary import AUXILIARIES, PLACES, TIMES, UNASKED
from heams.agents.extraction.words import WORD, Word, word

_LONGEST_QUESTION = 2_000  # characters: of a longer prompt the end is read, where the question stands
_SENTENCE_END = re.compile(r"(?<=[.!?\n])\s+")


class Kind(StrEnum):
    """Kinds of answers."""

    WHEN = "when"
    HOW_LONG = "how long"
    HOW_OFTEN = "how often"
    HOW_MANY = "how many"
    HOW_MUCH = "how much"
    WHO = "who"
    WHERE = "where"
    WHY = "why"
    HOW = "how"
    YES_NO = "yes or no"
    WHAT = "what"


_QUESTION_WORDS = {
    "when": Kind.WHEN,
    "where": Kind.WHERE,
    "who": Kind.WHO,
    "whom": Kind.WHO,
    "whose": Kind.WHO,
    "why": Kind.WHY,
    "how": Kind.HOW,
    "what": Kind.WHAT,
    "which": Kind.WHAT,
}
_AFTER_HOW = {
    "many": Kind.HOW_MANY,
    "old": Kind.HOW_MANY,
    "far": Kind.HOW_MANY,
    "tall": Kind.HOW_MANY,
    "much": Kind.HOW_MUCH,
    "long": Kind.HOW_LONG,
    "often": Kind.HOW_OFTEN,
    "frequently": Kind.HOW_OFTEN,
}
_LONGEST_FOCUS = 6


class Question(NamedTuple):
    """A question, read.

    ``terms`` are the stems to be found, without those of dates; ``focus`` those of the noun that "what", "which" or
    "how many" asks for, and ``plural`` whether it asks for several. ``names`` are its capitalised words, lower-case;
    ``unit`` is a span of time asked for ("year"), ``periods`` are its dates; ``of_asker`` says that it is about "me".
    """

    text: str
    kind: Kind
    plural: bool
    terms: frozenset[str]
    focus: frozenset[str]
    names: frozenset[str]
    unit: str | None
    periods: tuple[Period, ...]
    of_asker: bool


def read_question(text: str, day: date | None = None) -> Question:
    """Read a question that is asked on ``day``; of several sentences the last that ends in "?" counts."""
    return _read(_interrogative(text[-_LONGEST_QUESTION:]), day)


@lru_cache(maxsize=2_048)
def _read(asked: str, day: date | None) -> Question:
    times = mentions(asked, day)
    found = [
        word(match.group())
        for match in WORD.finditer(asked)
        if not any(time.start <= match.start() < time.end for time in times)
    ]
    kind, place = _kind(found)
    focus = _focus(found, place) if kind in (Kind.WHAT, Kind.HOW_MANY) else ()
    nouns = [_singular(one.lower) for one in focus]
    unit = next((noun for noun in nouns if noun in TIMES), None)
    if kind is Kind.WHAT and nouns:
        kind = Kind.WHEN if unit and len(nouns) <= 2 else Kind.WHERE if nouns[-1] in PLACES else kind
    return Question(
        text=asked,
        kind=kind,
        plural=_asks_for_several(found, focus, place),
        terms=_terms(found),
        focus=_terms(focus),
        names=frozenset(one.bare for one in found[1:] if one.capital and one.content),
        unit=unit,
        periods=tuple(time.period for time in times if time.period),
        of_asker=any(one.lower in ("i", "my", "me", "mine") for one in found),
    )


def _interrogative(text: str) -> str:
    if "?" not in text:
        return text.strip()
    return _SENTENCE_END.split(text[: text.rindex("?") + 1].strip())[-1]


def _kind(words: Sequence[Word]) -> tuple[Kind, int]:
    """The kind, and where the words that say so end (-1 when there are none)."""
    if words and words[0].lower in AUXILIARIES:
        return Kind.YES_NO, -1
    for place, one in enumerate(words):
        kind = _QUESTION_WORDS.get(one.bare)
        if kind is Kind.HOW and place + 1 < len(words):
            measured = _AFTER_HOW.get(words[place + 1].lower)
            return (measured, place + 1) if measured else (kind, place)
        if kind is not None:
            return kind, place
    return Kind.WHAT, -1


def _focus(words: Sequence[Word], place: int) -> Sequence[Word]:
    """The words up to a near helping verb: "what kind of dance piece did ..." asks for a "kind of dance piece"."""
    if place < 0:
        return ()
    after = words[place + 1 : place + 2 + _LONGEST_FOCUS]
    verb = next((count for count, one in enumerate(after) if one.lower in AUXILIARIES), 0)
    return after[:verb]


def _asks_for_several(words: Sequence[Word], focus: Sequence[Word], place: int) -> bool:
    if place < 0:
        return False
    nouns = [one for one in focus if one.content]
    if not focus and place + 1 < len(words) and words[place + 1].lower in ("are", "were"):
        nouns = [one for one in words[place + 2 : place + 7] if one.content and not one.capital]
    return bool(nouns) and _singular(nouns[-1].lower) != nouns[-1].lower


def _singular(lower: str) -> str:
    if len(lower) < 4 or not lower.endswith("s") or lower.endswith(("ss", "us", "is", "'s")):
        return lower
    return lower[:-3] + "y" if lower.endswith("ies") else lower[:-1]


def _terms(words: Sequence[Word]) -> frozenset[str]:
    return frozenset(one.stem for one in words if one.content and one.lower not in UNASKED)
