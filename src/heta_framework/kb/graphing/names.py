"""When two names are the same: case, possessives, plurals and spacing do not count."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_POSSESSIVE = re.compile(r"['’]s?(?=\s|$)")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_NOT_PLURAL = ("ss", "us", "is", "ous", "ics", "news")
_SHORTEST_PLURAL = 4
_REMEMBERED = 1 << 16


@lru_cache(maxsize=_REMEMBERED)
def normalised_name(name: str) -> str:
    """The form under which names are compared: NFKC, casefolded, without possessives, its last word in the singular."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    words = _POSSESSIVE.sub("", folded).replace("-", " ").split()
    words = [word for word in (_EDGES.sub("", part) for part in words) if word]
    if not words:
        return folded.strip()
    return " ".join((*words[:-1], singular(words[-1])))


def singular(word: str) -> str:
    """An English noun without its regular plural ending; other words as they are."""
    if len(word) < _SHORTEST_PLURAL or not word.endswith("s") or word.endswith(_NOT_PLURAL) or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > _SHORTEST_PLURAL:
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses", "zes")):
        return word[:-2]
    return word[:-1]
