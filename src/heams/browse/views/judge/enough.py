"""How many labels it takes before an agreement says something."""

from dataclasses import dataclass

from heta_framework.common.statistics import wilson_interval

ROUGH, FINE = 0.10, 0.05
_ASSUMED = 0.8
"""The agreement that is reckoned with while there are too few labels to know."""
_FEW = 10
_MOST = 4_000


@dataclass(frozen=True, slots=True)
class Enough:
    """``reach`` is half the width of the interval of the agreement now (None without labels).

    With ``rough`` labels it would be 10 points, with ``fine`` ones 5, at the agreement ``share``; ``assumed`` where
    that is not known yet.
    """

    reach: float | None
    rough: int
    fine: int
    share: float
    assumed: bool


def enough(agreed: int, n: int) -> Enough:
    """What ``n`` labels tell, ``agreed`` of which agree, and how many would tell more."""
    assumed = n < _FEW
    share = _ASSUMED if assumed else agreed / n
    return Enough(_reach(agreed, n) if n else None, _needed(share, ROUGH), _needed(share, FINE), share, assumed)


def _needed(share: float, reach: float) -> int:
    """The smallest number of labels with an interval of at most this reach, by bisection: it shrinks as n grows."""
    low, high = 1, _MOST
    while low < high:
        n = (low + high) // 2
        low, high = (low, n) if _reach(round(share * n), n) <= reach else (n + 1, high)
    return low


def _reach(agreed: int, n: int) -> float:
    bounds = wilson_interval(agreed, n)
    return (bounds.high - bounds.low) / 2
