"""Which films a reply recommends, and how many of those that were liked are among the first.

Unlike the published rule (``memoryagentbench_movies``) a title must be recognised: what is no film of the gold stays
unknown, an apology recommends nothing, and a title that begins with a number keeps it.
"""

import re
from collections.abc import Sequence

from heta_framework.common.text.edit_distance import edit_distance
from heta_framework.common.text.normalise import normalise
from heta_framework.common.text.refusal import refuses

_NUMBERED = re.compile(r"^\s*(?:\d{1,3}\s*[.):、]|[-*•–])\s+(?=\S)")
_BRACKETS = re.compile(r"\s*[\[(][^()\[\]]*[\])]\s*$")
_EXPLAINED = re.compile(r"\s+[-–—]\s+|:\s+")
_LETTERS_PER_SLIP = 8
"""A title of so many letters may be misspelt by one, one of twice as many by two, and so on."""


def recommended_titles(reply: str) -> list[str]:
    """The titles that a reply lists, in order and each once: numbered or bulleted lines, else lines or commas.

    Years and other brackets behind a title are left out; so is everything where the reply declines.
    """
    if refuses(reply):
        return []
    lines = [line for line in reply.splitlines() if line.strip()]
    listed = [_NUMBERED.sub("", line) for line in lines if _NUMBERED.match(line)]
    items = listed or (lines if len(lines) > 1 else reply.split(","))
    titles = (_BRACKETS.sub("", item).strip(" \t*_\"'“”.;") for item in items)
    return list(dict.fromkeys(title for title in titles if normalise(title)))


def recall_of_liked(reply: str, liked: Sequence[str], k: int) -> float:
    """The share (0 to 1) of the liked titles among the first ``k`` that a reply lists.

    Raises:
        ValueError: there is no liked title.
    """
    if not liked:
        raise ValueError("found no liked titles; expected at least one")
    first = recommended_titles(reply)[:k]
    return sum(any(names(item, title) for item in first) for title in liked) / len(liked)


def names(item: str, title: str) -> bool:
    """Whether an item of a list names a title: in any spelling, with few slips, an explanation behind it or not."""
    wanted = _key(title)
    return bool(wanted) and any(_is_near(_key(part), wanted) for part in (item, _EXPLAINED.split(item, maxsplit=1)[0]))


def _is_near(found: str, wanted: str) -> bool:
    """Equal up to slips; digits never slip, or "Part 2" would be "Part 3"."""
    if found == wanted:
        return True
    allowed = len(wanted) // _LETTERS_PER_SLIP
    same_numbers = re.findall(r"\d+", found) == re.findall(r"\d+", wanted)
    return same_numbers and abs(len(found) - len(wanted)) <= allowed and edit_distance(found, wanted) <= allowed


def _key(title: str) -> str:
    return normalise(title).removeprefix("the ")
