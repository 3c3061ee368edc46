"""Where a mean and its interval lie on a line: numbers for an inline SVG that is 100 units wide."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heta_framework.common.statistics import Interval

_TICK = 1.6
"""The width of the mark of the mean, in hundredths of the line."""


@dataclass(frozen=True, slots=True)
class Bar:
    """``tick`` is where the mark of the mean begins; ``start`` and ``width`` are those of the interval, or None."""

    tick: float
    start: float | None = None
    width: float | None = None


def bar_of(mean: float, interval: "Interval | None" = None, lowest: float = 0.0, highest: float = 1.0) -> Bar:
    """The bar of a mean on a line from ``lowest`` to ``highest``; what lies outside is drawn at the end."""

    def place(value: float) -> float:
        if not math.isfinite(value) or highest <= lowest:
            return 0.0
        return min(max(100 * (value - lowest) / (highest - lowest), 0.0), 100.0)

    tick = round(min(max(place(mean) - _TICK / 2, 0.0), 100 - _TICK), 2)
    if interval is None:
        return Bar(tick)
    start, end = place(interval.low), place(interval.high)
    return Bar(tick, round(start, 2), round(end - start, 2))
