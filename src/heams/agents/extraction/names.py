"""Names in a sentence: runs of capitalised words, and titles in quotation marks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heams.agents.extraction.passages import Sentence
from heams.agents.extraction.vocabulary import word_set

_QUOTED = re.compile(r"[\"“”«]([^\"“”«»]{2,80})[\"”“»]")
_JOINS = word_set("of the and de la von van")


def quoted(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """First and last word of each title in double quotation marks."""
    if '"' not in sentence.text and "“" not in sentence.text and "«" not in sentence.text:
        return
    for match in _QUOTED.finditer(sentence.text):
        inside = [place for place, start in enumerate(sentence.starts) if match.start() < start < match.end()]
        if inside:
            yield inside[0], inside[-1]


def named(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """First and last word of each name. A capital at the start of a sentence counts only before another capital."""
    place = 0
    while place < len(sentence.words):
        last = _end_of_name(sentence, place)
        if last > place or last == place > 0:
            yield place, last
        place = max(place, last) + 1


def _end_of_name(sentence: Sentence, first: int) -> int:
    """Where the name that begins at ``first`` ends; before ``first`` when none begins there."""
    if not _is_capital(sentence, first):
        return first - 1
    last = first
    while _continues(sentence, last):
        last += 1 if _is_capital(sentence, last + 1) else 2
    return last


def _continues(sentence: Sentence, last: int) -> bool:
    """Whether a name goes on after ``last``: with a capital, or with a joining word and a capital."""
    if _is_capital(sentence, last + 1) and _adjoins(sentence, last):
        return True
    joined = last + 2 < len(sentence.words) and sentence.words[last + 1].lower in _JOINS
    return joined and _is_capital(sentence, last + 2) and _adjoins(sentence, last) and _adjoins(sentence, last + 1)


def _is_capital(sentence: Sentence, place: int) -> bool:
    return place < len(sentence.words) and sentence.words[place].capital and sentence.words[place].content


def _adjoins(sentence: Sentence, place: int) -> bool:
    return sentence.text[sentence.ends[place] : sentence.starts[place + 1]] in (" ", ". ", "-", ".")
