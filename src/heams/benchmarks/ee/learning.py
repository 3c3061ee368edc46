"""What a stream shows of learning, over visits whose outcome is a number from 0 to 1.

Intervals resample problems: the same problem is met in several orders, and these visits are no independent trials.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from statistics import fmean, variance
from typing import NamedTuple

from heams.benchmarks.ee.course import THIRDS
from heta_framework.common.statistics import Summary, summarise

FEWEST_ORDERS = 3


class VisitKey(NamedTuple):
    """A place in a stream: the same for all experiments that played it."""

    sample: str
    step: int


@dataclass(frozen=True, slots=True)
class PlayedVisit:
    """One visit. ``problem`` is unique over streams; ``solved`` is the mean over repeats of the run.

    ``failed``: it ended in an error, or was not supported, in at least one repeat, and counts as 0 there.
    """

    stream: str
    order: str
    problem: str
    exposure: str
    third: str
    solved: float
    failed: bool = False


Visits = Mapping[VisitKey, PlayedVisit]


def accuracy(visits: Iterable[PlayedVisit]) -> Summary:
    """The share that was solved."""
    chosen = list(visits)
    return summarise([visit.solved for visit in chosen], [visit.problem for visit in chosen])


def in_third(visits: Visits, third: str) -> list[PlayedVisit]:
    """The visits of one third of the streams."""
    return [visit for visit in visits.values() if visit.third == third]


def with_exposure(visits: Visits, exposure: str) -> Visits:
    """The visits that meet their problem in this way."""
    return {key: visit for key, visit in visits.items() if visit.exposure == exposure}


def slope(visits: Visits) -> float | None:
    """Accuracy of the last third minus that of the first; None where one of them is missing."""
    first, last = (accuracy(in_third(visits, third)).mean for third in (THIRDS[0], THIRDS[-1]))
    return None if first is None or last is None else last - first


def order_spread(visits: Visits) -> float | None:
    """The standard deviation of accuracy over orders, pooled over streams; None below three orders of a stream."""
    streams: dict[str, dict[str, list[float]]] = {}
    for visit in visits.values():
        streams.setdefault(visit.stream, {}).setdefault(visit.order, []).append(visit.solved)
    if not streams or any(len(orders) < FEWEST_ORDERS for orders in streams.values()):
        return None
    return sqrt(fmean(variance([fmean(solved) for solved in orders.values()]) for orders in streams.values()))


@dataclass(frozen=True, slots=True)
class Gain:
    """A memory against none, visit by visit.

    ``difference`` is with minus without. ``better`` and ``worse`` count problems by their mean difference over orders;
    ``p`` is McNemar's exact test on them. ``negative_transfer``: the share that was solved without, but not with.
    """

    difference: Summary
    better: int
    worse: int
    p: float
    negative_transfer: float | None


def gain(with_memory: Visits, without: Visits) -> Gain:
    """The gain over the visits that both played."""
    both = sorted(with_memory.keys() & without.keys())
    differences = [with_memory[key].solved - without[key].solved for key in both]
    problems = [with_memory[key].problem for key in both]
    better, worse = _by_problem(differences, problems)
    losses = [max(0.0, -difference) for difference in differences]
    return Gain(
        _difference(differences, problems), better, worse, mcnemar(better, worse), fmean(losses) if losses else None
    )


def retention(visits: Visits) -> Summary:
    """Problems when they are met again minus the first time, in the same stream and order."""
    first = {
        (visit.stream, visit.order, visit.problem): visit.solved for visit in with_exposure(visits, "first").values()
    }
    again = [
        (visit.problem, visit.solved - first[visit.stream, visit.order, visit.problem])
        for visit in with_exposure(visits, "repeat").values()
        if (visit.stream, visit.order, visit.problem) in first
    ]
    return _difference([difference for _, difference in again], [problem for problem, _ in again])


def mcnemar(better: int, worse: int) -> float:
    """The exact two-sided p of McNemar's test: how likely pairs that differ split at least as unevenly by chance.

    Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
    Psychometrika 12 (1947), with the binomial distribution instead of its approximation.
    """
    pairs = better + worse
    tail = sum(comb(pairs, count) for count in range(min(better, worse) + 1))
    return min(1.0, 2 * tail / (1 << pairs))


def _difference(differences: Sequence[float], problems: Sequence[str]) -> Summary:
    """The mean difference; without an interval where all are alike: that of a proportion would not hold for it."""
    if len(set(differences)) == 1:
        return Summary(len(differences), differences[0], None, "all differences are the same")
    return summarise(differences, problems)


def _by_problem(differences: Sequence[float], problems: Sequence[str]) -> tuple[int, int]:
    sums: dict[str, float] = {}
    for problem, difference in zip(problems, differences, strict=True):
        sums[problem] = sums.get(problem, 0.0) + difference
    return sum(total > 0 for total in sums.values()), sum(total < 0 for total in sums.values())
