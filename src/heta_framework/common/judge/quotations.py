"""What in a judge's reply is not the judge's own: copies of the material, quotations, and thinking aloud.

Source of the idea: an answer that holds ``{"verdict": "correct"}`` must not be scored by a judge that merely quotes it.
"""

import re
from collections.abc import Iterator
from functools import cached_property

from heta_framework.common.judge.fencing import Material
from heta_framework.common.judge.words import WORD, plain

_SHORTEST_COPY = 3  # words
_UNLIKE = re.compile(r"[\s\"'\\“”‘’`]+")
_QUOTED = re.compile(r'"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|(?<!\w)\'[^\'\n]{2,}\'(?!\w)')
_BLOCK_QUOTE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPEN_THOUGHT = re.compile(r"<(?:think|thinking|reasoning)>", re.IGNORECASE)
_THOUGHT_END = re.compile(r"^.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
GONE = " ◊ "
"""Stands where something was left out: a sign that ends no sentence and that no spelling changes."""


class OwnWords:
    """Tells what a reply copies from the material of its call."""

    def __init__(self, material: Material) -> None:
        self._texts = list(_texts(material))

    @cached_property
    def _dense(self) -> list[str]:
        return [_dense(text) for text in self._texts]

    @cached_property
    def _copied(self) -> set[tuple[str, ...]]:
        return {run for text in self._texts for run in _runs(WORD.findall(plain(text)))}

    def copies(self, source: str) -> bool:
        """Whether ``source`` stands in the material, but for spaces and quotation marks."""
        dense = _dense(source)
        return any(dense in text for text in self._dense)

    def without_copies(self, text: str) -> str:
        """``text`` (already ``plain``) with every run of three or more words that stands in the material left out."""
        found = list(WORD.finditer(text))
        words = [match.group() for match in found]
        copied = {
            place + offset
            for place, run in enumerate(_runs(words))
            if run in self._copied
            for offset in range(_SHORTEST_COPY)
        }
        pieces, position = [], 0
        for place in sorted(copied):
            pieces += [text[position : found[place].start()], GONE]
            position = found[place].end()
        return "".join([*pieces, text[position:]])


def without_thoughts(text: str) -> str | None:
    """``text`` without what a model thought aloud before it; None when the thought never ends."""
    rest = _THOUGHT_END.sub("", _THOUGHTS.sub("", text))
    return None if _OPEN_THOUGHT.search(rest) else rest


def without_quotations(text: str) -> str:
    """``text`` without block quotes, and without what stands between quotation marks."""
    return _QUOTED.sub(GONE, _BLOCK_QUOTE.sub(GONE, text))


def _texts(material: Material) -> Iterator[str]:
    for content in material.values():
        yield from [content] if isinstance(content, str) else content


def _dense(text: str) -> str:
    return _UNLIKE.sub("", plain(text))


def _runs(words: list[str]) -> Iterator[tuple[str, ...]]:
    for place in range(len(words) - _SHORTEST_COPY + 1):
        yield tuple(words[place : place + _SHORTEST_COPY])
