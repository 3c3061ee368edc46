"""Keeping a text within its tokens."""

import re
from itertools import pairwise

from heta_framework.common.text.tokens import truncate_to_tokens

_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*(?=\s|$)|(?<=[。！？])|\n")


def cut_to_tokens(text: str, limit: int) -> str:
    """The longest beginning of at most ``limit`` tokens that ends with a sentence, else with a word, else anywhere."""
    beginning = truncate_to_tokens(text, limit)
    if len(beginning) == len(text):
        return text
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, len(beginning) + 1)]
    whole = [end for end in ends if end <= len(beginning)]
    if whole:
        return beginning[: whole[-1]].rstrip()
    words, space, _ = beginning.rpartition(" ")
    return words.rstrip() if space and words.strip() else beginning


def sentences(text: str) -> list[str]:
    """The text in pieces that end with a sentence or a line; joined they are the text again."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    bounds = [0, *ends, len(text)]
    return [piece for start, end in pairwise(bounds) if (piece := text[start:end])]
