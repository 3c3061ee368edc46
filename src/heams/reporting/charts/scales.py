"""Ranges of axes and how their ticks read."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log, log1p, log10
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import altair as alt

NUMBERS = ",.3~f"
"""Up to three decimals, no idle zeros, thousands separated (d3-format)."""
_MOST_LINEAR = 50.0
"""From this ratio of the largest to the smallest value on, small ones would be one heap on a linear axis."""
_MOST_SHOWN = 1e6
"""Values that are a smaller part of the largest one stand at 0."""
_FEW_DECADES = 4


@dataclass(frozen=True, slots=True)
class Range:
    """What an axis shows, from ``low`` to ``high``. ``symlog`` is linear from 0 to about ``unit``, then logarithmic."""

    low: float
    high: float
    kind: Literal["linear", "log", "symlog"] = "linear"
    unit: float = 1.0

    def share(self, value: float) -> float:
        """Where a value stands between the ends, from 0 to 1."""
        if self.kind == "log":
            return log(value / self.low) / log(self.high / self.low)
        if self.kind == "symlog":
            return log1p(value / self.unit) / log1p(self.high / self.unit)
        return (value - self.low) / (self.high - self.low)

    def scale(self) -> "alt.Scale":
        """The scale of an encoding."""
        import altair as alt

        domain = [self.low, self.high]
        if self.kind == "symlog":
            return alt.Scale(domain=domain, type=self.kind, constant=self.unit, nice=False)
        return alt.Scale(domain=domain, type=self.kind, nice=False)

    def axis(self) -> "alt.Axis":
        """An axis with a few ticks and no line."""
        import altair as alt

        ticks = self._ticks()
        count = alt.Undefined if ticks else 5
        return alt.Axis(values=ticks or alt.Undefined, tickCount=count, format=NUMBERS, domain=False, ticks=False)

    def _ticks(self) -> list[float] | None:
        """Powers of ten, with 2 and 5 between few of them; None on a linear axis, which finds its own."""
        if self.kind == "linear":
            return None
        smallest = self.low or self.unit
        first, last = floor(log10(smallest)), ceil(log10(self.high))
        steps = (1.0, 2.0, 5.0) if last - first <= _FEW_DECADES and self.kind == "log" else (1.0,)
        found = [step * 10.0**power for power in range(first, last + 1) for step in steps]
        return [*([] if self.low else [0.0]), *(tick for tick in found if smallest <= tick <= self.high)]


def score_range(values: Iterable[float]) -> Range:
    """From 0 to 1 for scores that are shares, else the range of the values with some room."""
    found = list(values)
    if not found or (min(found) >= 0 and max(found) <= 1):
        return Range(0.0, 1.0)
    return _with_room(min(found), max(found))


def close_range(values: Iterable[float]) -> Range:
    """Like ``score_range``, but shares end at the next tenth above the largest, so that small ones are told apart."""
    found = list(values)
    whole = score_range(found)
    if (whole.low, whole.high) != (0.0, 1.0) or not found:
        return whole
    return Range(0.0, min(1.0, (floor(max(found) * 10) + 1) / 10))


def amount_range(values: Iterable[float]) -> Range:
    """From 0 for costs, times and tokens; logarithmic where they are of very different sizes."""
    found = list(values)
    high = max(found, default=0.0)
    smallest = max(min((value for value in found if value > 0), default=high), high / _MOST_SHOWN)
    if smallest <= 0 or high / smallest <= _MOST_LINEAR:
        return Range(min([0.0, *found]), high * 1.08 or 1.0)
    if min(found) >= smallest:
        return Range(smallest / 1.5, high * 1.5, "log")
    return Range(0.0, high * 1.5, "symlog", smallest)


def _with_room(low: float, high: float) -> Range:
    room = (high - low) * 0.05 or abs(high) * 0.05 or 0.5
    return Range(low - room, high + room)
