"""Does a text tell a whole value: all of its content words, near each other, in whatever order?

Compared are the tokens of `anchors`, so numbers are exact in any spelling of one value and dates in any full spelling;
letters are plain (see `lookalikes`), and number words count as numbers ("six" is "6"; "one" does not, for it mostly is
none). Articles, prepositions, conjunctions, "yes", and signs without letters or digits do not count ("$", "%"). The
value is told where all its content tokens stand within a window of ``SPREAD`` times their number; a word that it has
twice must stand there twice. Inflections and paraphrases are not seen, and a negation around the value does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from heta_framework.common.text.anchors import anchor_tokens
from heta_framework.common.text.lookalikes import plain_letters

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
    return [_NUMBERS.get(token, token) for token in anchor_tokens(plain_letters(text))]


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


class ToldText:
    """A text, cut into tokens once to be asked for many values."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._places: dict[str, list[int]] = {}
        for place, token in enumerate(told_tokens(text)):
            self._places.setdefault(token, []).append(place)

    def tells(self, value: str, beside: str = "") -> bool:
        """Whether the text tells the value; one without content tokens is never told.

        ``beside`` are words of which at least one, in singular or plural, must stand in the window too, which is then
        wider by ``SPREAD`` tokens for each of them, of which at least two are counted.
        """
        tokens = content_tokens(value)
        if not tokens or not all(token in self._places for token in tokens):
            return False
        sought = Counter(tokens)
        if not beside:
            width = SPREAD * sought.total()
            return any(last - first < width for first, last in self._spans(sought))
        company = {_singular(token) for token in content_tokens(beside)}
        width = SPREAD * (sought.total() + max(2, len(company)))
        near = [place for token, found in self._places.items() if _singular(token) in company for place in found]
        spans = list(self._spans(sought))
        return any(max(last, one) - min(first, one) < width for first, last in spans for one in near)

    def _spans(self, sought: Counter[str]) -> Iterator[tuple[int, int]]:
        """For each place at which one of the tokens stands, the shortest span up to there that holds all of them."""
        events = sorted((place, token) for token in sought for place in self._places[token])
        missing, open_tokens, first = sought.copy(), len(sought), 0
        for place, token in events:
            missing[token] -= 1
            open_tokens -= missing[token] == 0
            while missing[events[first][1]] < 0:
                missing[events[first][1]] += 1
                first += 1
            if open_tokens == 0:
                yield events[first][0], place


def tells(text: str, value: str, beside: str = "") -> bool:
    """Whether the text tells the value; ``beside`` as in `ToldText.tells`."""
    return ToldText(text).tells(value, beside)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
