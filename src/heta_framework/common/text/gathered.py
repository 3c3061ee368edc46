"""Does a text tell a whole value: all of its content words, near each other, in whatever order?

Compared are the tokens of `anchors`, so numbers are exact in any spelling of one value and dates in any full spelling;
number words count as numbers ("six" is "6"; "one" does not, for it mostly is none). Articles, prepositions,
conjunctions, "yes", and signs without letters or digits do not count ("$", "%"). The value is told where all its
content tokens stand within a window of ``SPREAD`` times their number; a word that it has twice must stand there twice.
Inflections and paraphrases are not seen, and a negation around the value does not matter.
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
        *("is", "are", "was", "were", "be", "been", "has", "have", "had", "my", "i", "me", "yes"),
    )
)
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = {word: str(number) for number, word in enumerate(_SMALL) if word != "one"} | {
    word: str(number * 10) for number, word in enumerate(_TENS, start=2)
}
_SHORT = 1_000


def told_tokens(text: str) -> list[str]:
    """The tokens by which texts and values are compared."""
    return [_NUMBERS.get(token, token) for token in anchor_tokens(text)]


@lru_cache(maxsize=16_384)
def content_tokens(value: str) -> tuple[str, ...]:
    """The tokens of a value that must be told; where only joining words are left, these; empty for signs alone."""
    found = [token for token in told_tokens(value) if any(map(str.isalnum, token))]
    return tuple([token for token in found if token not in _JOINING] or found)


def is_short_number(value: str) -> bool:
    """Whether a value is nothing but a number below 1000, which a text may well hold for another reason."""
    tokens = content_tokens(value)
    try:
        return len(tokens) == 1 and abs(float(tokens[0])) < _SHORT
    except ValueError:
        return False


def gathers(words: Sequence[str], value: str, beside: str = "") -> bool:
    """Whether the tokens of a text (see `told_tokens`) tell the value. One without content tokens is never told.

    ``beside`` are words of which at least one, in singular or plural, must stand in the window too, which is then
    wider by ``SPREAD`` tokens for each of them.
    """
    sought = Counter(content_tokens(value))
    if not sought or not sought.keys() <= set(words):
        return False
    company = {_singular(token) for token in content_tokens(beside)}
    width = SPREAD * (sought.total() + len(company))
    return any(_in_company(words[start : start + width], company) for start in _windows(words, sought, width))


def tells(text: str, value: str, beside: str = "") -> bool:
    """Whether the text tells the value; ``beside`` as in `gathers`."""
    return gathers(told_tokens(text), value, beside)


def _windows(words: Sequence[str], sought: Counter[str], width: int) -> list[int]:
    """Where the windows begin that hold all that is sought, among those that a text has."""
    missing, starts = sought.copy(), []
    for place, word in enumerate(words):
        if word in sought:
            missing[word] -= 1
        start = place - width + 1
        if start > 0 and words[start - 1] in sought:
            missing[words[start - 1]] += 1
        if (start >= 0 or place == len(words) - 1) and all(count <= 0 for count in missing.values()):
            starts.append(max(0, start))
    return starts


def _in_company(window: Sequence[str], company: set[str]) -> bool:
    return not company or any(_singular(word) in company for word in window)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
