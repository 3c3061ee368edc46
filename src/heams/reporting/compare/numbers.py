"""What pairs say together: means, their difference with its interval, a test, and counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, isclose

import numpy as np

from heams.reporting.compare.paired_test import PairedTest, paired_test
from heams.reporting.compare.pairs import Floats, Pairs
from heta_framework.common.statistics import Interval, clustered_interval, mean_interval


@dataclass(frozen=True, slots=True)
class TwoByTwo:
    """How many pairs passed on both sides, on one of them, on neither.

    A pair whose sample was repeated passes on a side where more than half of its repeats did.
    """

    both: int
    only_a: int
    only_b: int
    neither: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedNumbers:
    """Numbers over ``n`` pairs. ``delta`` is B minus A, ``interval`` its 95 % interval; all are None without pairs.

    Where there is no interval, ``no_interval`` says why. ``clusters`` is the number of histories (or scenarios) that
    pairs share, None where each pair stands alone. ``improved`` and ``regressed`` count pairs by the direction in which
    the metric is better. ``two_by_two`` is None where the metric passes and fails nothing.
    """

    n: int
    mean_a: float | None
    mean_b: float | None
    delta: float | None
    interval: Interval | None
    no_interval: str | None
    test: PairedTest | None
    two_by_two: TwoByTwo | None
    improved: int
    regressed: int
    equal: int
    clusters: int | None
    higher_is_better: bool

    @property
    def p(self) -> float | None:
        """The p value of the test."""
        return None if self.test is None else self.test.p


def paired_numbers(pairs: Pairs) -> PairedNumbers:
    """The numbers over these pairs."""
    changes, clusters = pairs.changes, pairs.columns["cluster"].tolist()
    clustered = len(set(clusters)) < len(clusters)
    table = two_by_two(pairs)
    interval, why = _interval(changes, clusters, clustered=clustered)
    return PairedNumbers(
        n=len(pairs),
        mean_a=_mean(pairs.columns["value_a"]),
        mean_b=_mean(pairs.columns["value_b"]),
        delta=_mean(changes),
        interval=interval,
        no_interval=why,
        test=paired_test(changes, clusters, _discordant(pairs, table), clustered=clustered) if len(pairs) else None,
        two_by_two=table,
        improved=int(pairs.mask("improved").sum()),
        regressed=int(pairs.mask("regressed").sum()),
        equal=int(pairs.mask("equal").sum()),
        clusters=len(set(clusters)) if clustered else None,
        higher_is_better=pairs.higher_is_better,
    )


def two_by_two(pairs: Pairs) -> TwoByTwo | None:
    """The table of who passed; None where no pair passes or fails."""
    both, only_a, only_b, neither = (int(pairs.mask(cell).sum()) for cell in ("both", "only_a", "only_b", "neither"))
    return TwoByTwo(both, only_a, only_b, neither) if both + only_a + only_b + neither else None


def _mean(values: Floats) -> float | None:
    return fsum(values) / len(values) if len(values) else None


def _discordant(pairs: Pairs, table: TwoByTwo | None) -> tuple[int, int] | None:
    """The pairs that only A and only B passed, where all values are a yes or a no and nothing else decides them."""
    if table is None or sum((table.both, table.only_a, table.only_b, table.neither)) < len(pairs):
        return None
    values = np.concatenate([pairs.columns["value_a"], pairs.columns["value_b"]])
    passes = np.concatenate([pairs.columns["passes_a"], pairs.columns["passes_b"]])
    # values and verdicts may run against each other (rates of leaks): then a pass is a 0
    agree = np.array_equal(values, passes if pairs.higher_is_better else 1 - passes)
    return (table.only_a, table.only_b) if agree and bool(np.isin(values, (0, 1)).all()) else None


def _interval(changes: Floats, clusters: Sequence[str], *, clustered: bool) -> tuple[Interval | None, str | None]:
    """The interval of the mean change, or why there is none."""
    if len(changes) == 0:
        return None, "there are no pairs"
    if len(changes) == 1:
        return None, "there is a single pair"
    if (changes == changes[0]).all():
        same = "all pairs have the same value on both sides" if changes[0] == 0 else "all pairs differ by the same"
        return None, same
    if len(set(clusters)) == 1:
        return None, "all pairs share one history, and how histories differ cannot be seen from one"
    found = clustered_interval(changes.tolist(), clusters) if clustered else mean_interval(changes.tolist())
    if found is None or isclose(found.low, found.high, rel_tol=1e-12, abs_tol=1e-15):
        return None, "all histories have the same mean difference"
    return found, None
