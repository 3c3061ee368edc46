"""The scores of a list as bars, each a link to the rows in it."""

from dataclasses import dataclass
from operator import ge, gt, le, lt

from heams.browse.filters import Filter, with_range, without
from heams.browse.filters.edits import parts_of
from heams.browse.filters.syntax import Number, Operator, Term
from heams.browse.queries import Bin, Histogram
from heams.browse.views.list_state import ListState

HEIGHT = 48.0
WIDTH = 200.0
_GAP = 1.0
_LEAST_HEIGHT = 1.5
"""A single row among a hundred thousand is still seen."""
_VALUE = "value"
_COMPARED = {Operator.LESS: lt, Operator.AT_MOST: le, Operator.MORE: gt, Operator.AT_LEAST: ge}


@dataclass(frozen=True, slots=True)
class ScoreBar:
    """One bar: where it is, how many rows it stands for, and the list of these. ``within`` the chosen scores or not."""

    x: float
    y: float
    width: float
    height: float
    low: float
    high: float
    count: int
    within: bool
    href: str


@dataclass(frozen=True, slots=True)
class ScoreBars:
    """The bars from ``low`` to ``high``; ``clear`` is the list without a choice of scores, None where there is none."""

    bars: tuple[ScoreBar, ...]
    low: float
    high: float
    n: int
    without_value: int
    clear: str | None


def score_bars(found: Histogram, state: ListState, filter_: Filter) -> ScoreBars | None:
    """The bars of a list; None where no row has a score."""
    if not found.bins:
        return None
    terms = [part for part in parts_of(filter_) if isinstance(part, Term) and part.field.name == _VALUE]
    most, width = max(one.count for one in found.bins), WIDTH / len(found.bins)
    bars = (
        _bar(one, place * width, width, one.count / most, state, terms, last=place == len(found.bins) - 1)
        for place, one in enumerate(found.bins)
    )
    clear = state.address(q=without(state.q, _VALUE)) if terms else None
    return ScoreBars(tuple(bars), found.bins[0].low, found.bins[-1].high, found.n, found.without_value, clear)


def _bar(
    one: Bin, x: float, width: float, share: float, state: ListState, terms: list[Term], *, last: bool
) -> ScoreBar:
    height = max(share * HEIGHT, _LEAST_HEIGHT) if one.count else 0.0
    return ScoreBar(
        round(x + _GAP / 2, 2),
        round(HEIGHT - height, 2),
        round(width - _GAP, 2),
        round(height, 2),
        one.low,
        one.high,
        one.count,
        all(_holds(term, (one.low + one.high) / 2) for term in terms),
        state.address(q=with_range(state.q, _VALUE, one.low, one.high, closed=last)),
    )


def _holds(term: Term, middle: float) -> bool:
    compared = _COMPARED.get(term.operator)
    return compared is None or all(compared(middle, one.value) for one in term.values if isinstance(one, Number))
