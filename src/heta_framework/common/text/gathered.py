"""Does a text tell a whole value: all of its content words, near each other, in whatever order?

Compared are the tokens of `anchors`, so numbers are exact in any spelling of one value and dates in any full spelling.
Articles, prepositions, conjunctions and signs without letters or digits do not count ("$", "%"). The value is told
where all its content tokens stand within a window of ``SPREAD`` times their number; a word that it has twice must stand
there twice. Inflections and paraphrases are not seen, and a negation around the value does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from heta_framework.common.text.anchors import anchor_tokens

SPREAD = 3
"""How many tokens of text there may be for each content token of the value."""

_JOINING = frozenset(
    (
        *(
            "a",
            "an",
            "the",
            "and",
            "or",
            "of",
            "in",
            "on",
            "at",
            "to",
            "for",
            "from",
            "with",
            "by",
            "as",
            "per",
            "about",
        ),
        *("is", "are", "was", "were", "be", "been", "has", "have", "had", "my", "i", "me"),
    )
)


@lru_cache(maxsize=16_384)
def content_tokens(value: str) -> tuple[str, ...]:
    """The tokens of a value that must be told; where only joining words are left, these; empty for signs alone."""
    found = [token for token in anchor_tokens(value) if any(map(str.isalnum, token))]
    return tuple([token for token in found if token not in _JOINING] or found)


def gathers(words: Sequence[str], value: str) -> bool:
    """Whether the tokens of a text (see `anchor_tokens`) tell the value. One without content tokens is never told."""
    sought = Counter(content_tokens(value))
    if not sought or not sought.keys() <= set(words):
        return False
    width = SPREAD * sought.total()
    missing = sought.copy()
    for place, word in enumerate(words):
        if word in sought:
            missing[word] -= 1
        left = place - width
        if left >= 0 and words[left] in sought:
            missing[words[left]] += 1
        if all(count <= 0 for count in missing.values()):
            return True
    return False


def tells(text: str, value: str) -> bool:
    """Whether the text tells the value."""
    return gathers(anchor_tokens(text), value)
