"""Levenshtein's distance between two texts, a whole row of its table at once in the bits of one number.

Source: Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003, after Myers 1999.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable


def edit_distance(one: str, other: str) -> int:
    """How many characters must be inserted, deleted or replaced to make one text the other; symmetric."""
    if not one:
        return len(other)
    places: dict[str, int] = defaultdict(int)
    for place, character in enumerate(one):
        places[character] |= 1 << place
    everything, last = (1 << len(one)) - 1, 1 << (len(one) - 1)
    rising, falling, distance = everything, 0, len(one)
    for character in other:
        same = places.get(character, 0)
        diagonal = (((same & rising) + rising) ^ rising) | same | falling
        up = falling | (everything & ~(diagonal | rising))
        down = rising & diagonal
        distance += bool(up & last) - bool(down & last)
        up = up << 1 | 1
        down = down << 1
        rising = everything & (down | ~(diagonal | up))
        falling = everything & up & diagonal
    return distance


def nearest_by_edits(text: str, candidates: Iterable[str]) -> tuple[int, int] | None:
    """The place of the candidate with the least distance, the first of equals, and that distance; None without any."""
    best: tuple[int, int] | None = None
    for place, candidate in enumerate(candidates):
        if best is not None and abs(len(candidate) - len(text)) >= best[1]:
            continue
        distance = edit_distance(text, candidate)
        if best is None or distance < best[1]:
            best = place, distance
    return best
