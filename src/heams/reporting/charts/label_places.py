"""Where the names of points go: beside them, and not over each other or over other points."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

LINE = 13.0
"""Pixels from one line of text to the next."""
_CHARACTER = 5.6
"""Mean width of a character in pixels, at the size of names."""
_GAP = 8.0
_MARK = 5.0
"""Half the size of a point."""
_SHIFTS = (0.0, -LINE, LINE, -2 * LINE, 2 * LINE)
_RAISED = (-LINE + 2, LINE - 2, -2 * LINE, 2 * LINE)


class Named(NamedTuple):
    """A point in pixels from the upper left corner. ``raised``: a line runs through it, so its name goes above."""

    name: str
    x: float
    y: float
    raised: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A name that begins (``left``) or ends (``right``) at ``(x, y)``, which is the middle of its height."""

    text: str
    x: float
    y: float
    align: Literal["left", "right"]

    @property
    def span(self) -> tuple[float, float]:
        """Where it begins and ends from left to right."""
        width = len(self.text) * _CHARACTER
        return (self.x, self.x + width) if self.align == "left" else (self.x - width, self.x)

    def covers(self, other: "Place") -> bool:
        """Whether two names would be over each other."""
        (left, right), (other_left, other_right) = self.span, other.span
        return left < other_right and other_left < right and abs(self.y - other.y) < LINE - 1

    def hides(self, point: Named) -> bool:
        """Whether the name would be over a point."""
        left, right = self.span
        return left - _MARK < point.x < right + _MARK and abs(self.y - point.y) < LINE / 2 + _MARK - 2


def places(points: Sequence[Named], width: float, height: float) -> list[Place]:
    """A place for each name, where a free one is near its point; names that are crowded out have none.

    Earlier names have the first choice. Names stay within ``width`` and ``height``.
    """
    found: list[Place] = []
    for point in points:
        free = (
            place
            for place in _choices(point, width, height)
            if not any(map(place.covers, found)) and not any(map(place.hides, points))
        )
        place = next(free, None)
        if place is not None:
            found.append(place)
    return found


def _choices(point: Named, width: float, height: float) -> Iterator[Place]:
    room = len(point.name) * _CHARACTER
    for shift in _RAISED if point.raised else _SHIFTS:
        at = point.y + shift
        if not 0 <= at <= height:
            continue
        if point.x + _GAP + room <= width:
            yield Place(point.name, point.x + _GAP, at, "left")
        if point.x - _GAP - room >= 0:
            yield Place(point.name, point.x - _GAP, at, "right")
