"""Recommended films against films that were liked: MemoryAgentBench's published reading of titles and Recall@k.

Source: ``extract_movie_name``, ``extract_recommendation_list`` and the rule ``recsys`` of
``utils/eval_other_utils.py`` of https://github.com/HUST-AI-HYZ/MemoryAgentBench at 455306dc. Every line of a reply,
an apology and an empty line included, becomes the title with the least edit distance. The official code walks through
the titles of a set, so between equal distances it varies from process to process; here the first of the file counts.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import StrictInt, TypeAdapter

from heams.evaluation.memoryagentbench_official import OfficialFailure
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.reading import checked, parse_json, read_bytes
from heta_framework.common.text.edit_distance import nearest_by_edits

CUTOFFS = (1, 5, 10)
_INNERMOST_BRACKETS = re.compile(r"\([^()]*\)")
_NUMBERING = re.compile(r"^[\d.)、\s-]+")
_ENTITIES: TypeAdapter[dict[str, int]] = TypeAdapter(dict[str, StrictInt])


class Recommended(NamedTuple):
    """``titles`` as they were understood, ``liked`` the gold titles, ``recall`` the share of them among the first k."""

    titles: tuple[str, ...]
    liked: tuple[str, ...]
    recall: Mapping[int, float]


class Films:
    """Films by the number under which answers name them; ``names`` are the names of an entity file, with numbers."""

    def __init__(self, names: Mapping[str, int]) -> None:
        self._titles = {number: film_title(name) for name, number in names.items()}
        self._known = tuple(dict.fromkeys(self._titles.values()))
        self._places = {title.lower(): place for place, title in reversed(list(enumerate(self._known)))}
        self._lowered = tuple(title.lower() for title in self._known)

    def title(self, number: int) -> str | None:
        """The title of a film; None where the number is not in the file."""
        return self._titles.get(number)

    def nearest(self, text: str) -> str:
        """The known title with the least edit distance, in any case; the first in the file of several."""
        place = self._places.get(text.lower())
        if place is None:
            found = nearest_by_edits(text.lower(), self._lowered)
            if found is None:
                raise OfficialFailure("there are no titles to compare with")
            place = found[0]
        return self._known[place]


@lru_cache(maxsize=4)
def read_films(path: Path) -> Films:
    """The films of an ``entity2id.json``: a mapping of names to numbers, read once.

    Raises:
        DatasetFormatError: the file cannot be read, or is no such mapping.
    """
    names = checked(_ENTITIES, parse_json(read_bytes(path), path), path)
    if not names:
        raise DatasetFormatError(path, "", "found no films; expected a mapping of names to numbers")
    return Films(names)


def film_title(name: str) -> str:
    """A name without its path and brackets; ``_``, ``-`` and ``>`` are spaces: ``/m/Up_(2009_film)`` is ``Up``."""
    spaced = re.sub("[_>-]", " ", name.rpartition("/")[2])
    return _unbracketed(spaced)


def recommendation_list(reply: str) -> tuple[list[str], str]:
    """The items of a reply, and what stands before them.

    With a "1." anywhere, be it within a number, the lines behind it; without one, what commas and line ends separate.
    """
    before, numbered, rest = reply.partition("1.")
    lines = rest.split("\n") if numbered else re.split(r"[,\n]", reply)
    return [_unbracketed(_NUMBERING.sub("", line.strip())) for line in lines], before if numbered else ""


def official_recommended(reply: Any, gold: Any, films: Films) -> Recommended:
    """Recall@1, @5 and @10 of the films that were liked.

    Raises:
        OfficialFailure: the official code raises an exception: no gold, or one that is no number of a film.
    """
    liked = [_liked(number, films) for number in gold]
    if not liked:
        raise OfficialFailure("there is no liked film to look for")
    titles = [films.nearest(item) for item in recommendation_list(reply)[0]]
    recall = {k: sum(title in titles[:k] for title in liked) / len(liked) for k in CUTOFFS}
    return Recommended(tuple(titles), tuple(liked), recall)


def _liked(number: Any, films: Films) -> str:
    try:
        found = films.title(int(number))
    except ValueError as cause:
        raise OfficialFailure(f"the gold {number!r} is no number of a film") from cause
    if found is None:
        raise OfficialFailure(f"there is no film with the number {number!r}")
    return found


def _unbracketed(text: str) -> str:
    return " ".join(_INNERMOST_BRACKETS.sub("", text).split())


def liked_titles(numbers: Sequence[str], films: Films) -> list[str]:
    """The different titles of the films of these numbers; what is no number of a film is left out."""
    found = (films.title(int(number)) for number in numbers if number.strip().isdecimal())
    return list(dict.fromkeys(title for title in found if title))
