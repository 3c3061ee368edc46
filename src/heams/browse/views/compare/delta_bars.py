"""Where a difference and its interval lie on a line around 0: numbers for an inline SVG that is 100 units wide."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from heams.reporting.compare import PairedNumbers
from heta_framework.common.statistics import Interval

_TICK = 1.2
_STEPS = (1, 1.5, 2, 3, 5, 7.5, 10)


@dataclass(frozen=True, slots=True)
class DeltaBar:
    """``tick`` is where the mark begins, ``start`` and ``width`` are those of the interval (None without one).

    The line goes from ``-reach`` to ``reach``; 0 is at 50.
    """

    reach: float
    tick: float
    start: float | None
    width: float | None


def reach_of(numbers: Iterable[PairedNumbers], *, in_points: bool) -> float:
    """How far a line must go to either side, so that all differences and intervals have room.

    In steps that read well; differences ``in_points`` are 1 at most.
    """
    most = max((abs(end) for one in numbers for end in _ends(one)), default=0.0)
    if most == 0:
        return 1.0
    magnitude = 10.0 ** math.floor(math.log10(most))
    found = next(step * magnitude for step in _STEPS if step * magnitude >= most)
    return min(found, 1.0) if in_points else found


def delta_bar(delta: float, interval: Interval | None, reach: float) -> DeltaBar:
    """The bar of a difference."""

    def place(value: float) -> float:
        return min(max(50 + 50 * value / reach, 0.0), 100.0)

    tick = round(min(max(place(delta) - _TICK / 2, 0.0), 100 - _TICK), 2)
    if interval is None:
        return DeltaBar(reach, tick, None, None)
    start, end = place(interval.low), place(interval.high)
    return DeltaBar(reach, tick, round(start, 2), round(end - start, 2))


def _ends(numbers: PairedNumbers) -> Iterable[float]:
    if numbers.delta is not None:
        yield numbers.delta
    if numbers.interval is not None:
        yield from (numbers.interval.low, numbers.interval.high)
