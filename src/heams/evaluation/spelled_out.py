"""Is a value told in an answer though it is taken apart, or its numbers are words: "4-4-1-7", "four four one seven"?

For what must not be told, beside `anchors`, which finds values as they are usually written. A value counts

- where all of its letters and digits stand in their order with nothing but signs and spaces between any two of them, or
  in blocks with at most one hyphen, space, underscore or line end between two; only where there are enough of them that
  chance finds none (four, and for letters alone in blocks eight);
- where it stands in the text once the number words of both are numbers ("seventeen" is "17", "forty-four" is "44").
"""

import re
from functools import lru_cache
from typing import Final

from heta_framework.common.text.anchors import anchor_tokens, holds
from heta_framework.common.text.characters import unify
from heta_framework.common.text.gathered import told_tokens
from heta_framework.common.text.lookalikes import plain_letters

_FEWEST: Final = 4
_FEWEST_LETTERS: Final = 8
_LONGEST: Final = 64
_APART = r"[^a-z0-9]{1,3}"
_JOINT = r"[\s_-]?"
_TAG = re.compile(r"</?[a-z][^<>]{0,40}>")
_TENS = re.compile(r"[2-9]0")
_BREAK = "...."


def tells_spelled_out(text: str, value: str) -> bool:
    """Whether the text tells the value in other blocks, sign by sign, or with its numbers as words."""
    sought = _pattern(value)
    said = _TAG.sub("", unify(plain_letters(text)))
    if sought is not None and sought.search(said):
        return True
    number = " ".join(token for token, _ in _numbered(value))
    if not any(map(str.isdigit, number)):
        return False
    told = _numbered(said)
    if holds(" ".join(token for token, _ in told), number):
        return True
    spoken = " ".join(token if in_words else f"{_BREAK} {token} {_BREAK}" for token, in_words in told)
    return sought is not None and sought.search(spoken) is not None


@lru_cache(maxsize=2_048)
def _pattern(value: str) -> re.Pattern[str] | None:
    signs = [sign for sign in unify(plain_letters(value)) if sign.isalnum()]
    if not _FEWEST <= len(signs) <= _LONGEST or not all(map(str.isascii, signs)):
        return None
    blocks = any(map(str.isdigit, signs)) or len(signs) >= _FEWEST_LETTERS
    ways = _APART.join(signs) + (f"|{_JOINT.join(signs)}" if blocks else "")
    return re.compile(rf"(?<![a-z0-9])(?:{ways})(?![a-z0-9])")


def _numbered(text: str) -> list[tuple[str, bool]]:
    """The tokens of a text with number words as numbers, and whether each was a number word."""
    plain = plain_letters(text)
    found: list[tuple[str, bool]] = []
    for word, number in zip(anchor_tokens(plain), told_tokens(plain), strict=True):
        digits = "1" if word == "one" and found and found[-1][1] else number
        in_words = digits != word
        if in_words and found and found[-1][1] and _TENS.fullmatch(found[-1][0]) and len(digits) == 1:
            found[-1] = (found[-1][0][0] + digits, True)
        else:
            found.append((digits, in_words))
    return found
