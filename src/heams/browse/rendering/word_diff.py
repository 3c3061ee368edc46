"""Which words two texts have in common, as marked up text: ``<mark>`` in both, ``<del>`` and ``<ins>`` in one only.

Case and spaces do not matter. Work is bounded, because texts come from models and may be of any length and content:
only the beginnings of long texts are compared, and words that are everywhere are left out of the comparison.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

import regex
from markupsafe import Markup

from heams.browse.rendering.foreign_text import visible

MOST_CHARACTERS = 6_000
"""How much of each text is compared, and shown."""
_MOST_PAIRS = 20_000
"""Pairs of equal words, which is what comparing costs."""
_WORD = regex.compile(
    r"""(?V1)(?P<space>\s+)
    | [\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]
    | \d+(?:[.,:]\d+)*
    | [\w--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]]+(?:['’][\w]+)*
    | .""",
    regex.VERBOSE | regex.DOTALL,
)
"""A word, a number with its separators, a sign, or, where words have no spaces between them, a character."""
_TAGS = {
    "both": Markup("<mark>{}</mark>"),
    "first": Markup("<del>{}</del>"),
    "second": Markup("<ins>{}</ins>"),
}


class _Word(NamedTuple):
    key: str
    start: int
    end: int


class _Run(NamedTuple):
    """Where equal words begin in both lists, and how many they are."""

    first: int
    second: int
    size: int


@dataclass(frozen=True, slots=True)
class WordDiff:
    """Both texts marked up; ``common`` words are in both. The rest of a long text is cut off, and then not compared."""

    first: Markup
    second: Markup
    common: int
    first_cut: bool
    second_cut: bool

    @property
    def cut(self) -> bool:
        """Whether one of the texts is not shown whole."""
        return self.first_cut or self.second_cut


def word_diff(first: str, second: str) -> WordDiff:
    """Compare two texts: ``first`` is what was expected, or what was before."""
    texts = first[:MOST_CHARACTERS], second[:MOST_CHARACTERS]
    words = [list(_words(text)) for text in texts]
    runs = _matching(*words)
    return WordDiff(
        _marked(texts[0], words[0], [(run.first, run.size) for run in runs], "first"),
        _marked(texts[1], words[1], [(run.second, run.size) for run in runs], "second"),
        sum(run.size for run in runs),
        len(first) > MOST_CHARACTERS,
        len(second) > MOST_CHARACTERS,
    )


def _words(text: str) -> Iterator[_Word]:
    for found in _WORD.finditer(text):
        if found["space"] is None:
            yield _Word(found.group().casefold(), *found.span())


def _matching(first: Sequence[_Word], second: Sequence[_Word]) -> list[_Run]:
    """Runs of equal words; signs alone are none."""
    start, end = _equal_ends(first, second)
    middle = _compared(first[start : len(first) - end], second[start : len(second) - end])
    runs = [
        _Run(0, 0, start),
        *(_Run(one + start, other + start, size) for one, other, size in middle),
        _Run(len(first) - end, len(second) - end, end),
    ]
    return [run for run in runs if any(word.key[0].isalnum() for word in first[run.first : run.first + run.size])]


def _equal_ends(first: Sequence[_Word], second: Sequence[_Word]) -> tuple[int, int]:
    """How many words are equal at the beginning and at the end, which costs nothing to find."""
    shorter = min(len(first), len(second))
    start = next((place for place in range(shorter) if first[place].key != second[place].key), shorter)
    rest = shorter - start
    return start, next((place for place in range(rest) if first[-1 - place].key != second[-1 - place].key), rest)


def _compared(first: Sequence[_Word], second: Sequence[_Word]) -> Iterator[_Run]:
    too_frequent = _too_frequent(first, second)
    one = [("1", word.key) if word.key in too_frequent else ("", word.key) for word in first]
    other = [("2", word.key) if word.key in too_frequent else ("", word.key) for word in second]
    yield from (_Run(*block) for block in SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks())


def _too_frequent(first: Sequence[_Word], second: Sequence[_Word]) -> set[str]:
    ours, theirs = (Counter(word.key for word in words) for words in (first, second))
    costs = {key: ours[key] * theirs[key] for key in ours.keys() & theirs.keys()}
    excess, left_out = sum(costs.values()) - _MOST_PAIRS, set()
    for key, cost in sorted(costs.items(), key=lambda item: -item[1]):
        if excess <= 0:
            break
        left_out.add(key)
        excess -= cost
    return left_out


def _marked(text: str, words: Sequence[_Word], blocks: Sequence[tuple[int, int]], side: str) -> Markup:
    parts: list[Markup] = []
    done = word = 0
    for start, size in [*blocks, (len(words), 0)]:
        for kind, run in ((side, words[word:start]), ("both", words[start : start + size])):
            if not run:
                continue
            begin, end = run[0].start, run[-1].end
            parts += [visible(text[done:begin]), _TAGS[kind].format(visible(text[begin:end]))]
            done = end
        word = start + size
    return Markup("").join([*parts, visible(text[done:])])
