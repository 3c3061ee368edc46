"""Simulated experiments of two systems: how often the tests are wrong when nothing differs, and intervals cover.

Questions of one history share an effect: on some histories one system is really better, on others the other one, and
over all histories neither is. Histories are what is sampled, so only what resamples or flips whole histories is right.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from heta_framework.common.statistics import Draws, Interval, clustered_interval, mcnemar_exact, mean_interval
from heta_framework.common.statistics import paired_permutation as permutation

Floats = NDArray[np.float64]
Scores = Callable[[np.random.Generator, Floats, Floats], Floats]
LEVEL = 0.05


def verdicts(random: np.random.Generator, one: Floats, other: Floats) -> Floats:
    """Differences of right (1) and wrong (0); two questions in five are as lucky for one system as for the other."""
    luck = random.uniform(size=(2, len(one)))
    luck[1] = np.where(random.uniform(size=len(one)) < 0.4, luck[0], luck[1])
    differences: Floats = (luck[1] < other).astype(float) - (luck[0] < one)
    return differences


def token_f1(random: np.random.Generator, one: Floats, other: Floats) -> Floats:
    """Differences of token F1: of up to eight gold tokens each is found by chance, among up to five others."""
    gold = random.integers(1, 9, size=len(one))
    found = random.binomial(gold, np.clip([one, other], 0, 1))
    said = found + random.integers(0, 6, size=found.shape)
    f1 = np.where(found > 0, 2 * found / (gold + said), 0.0)
    differences: Floats = f1[1] - f1[0]
    return differences


@dataclass(frozen=True)
class Design:
    """`histories` of `questions` each, from `fewest` on where sizes differ; one question each is independent pairs."""

    scores: Scores
    histories: int
    questions: int = 200
    fewest: int | None = None
    skewed: bool = False

    def __str__(self) -> str:
        sizes = f"{self.fewest}-{self.questions}" if self.fewest else f"{self.questions}"
        return f"{self.scores.__name__}-{self.histories}x{sizes}{'-skewed' if self.skewed else ''}"

    @property
    def independent(self) -> bool:
        return self.questions == 1

    def draw(self, seed: int) -> tuple[list[float], list[str]]:
        """Differences without a true mean difference, and the history of each."""
        random = np.random.default_rng([seed, self.histories, self.questions])
        sizes = random.integers(self.fewest or self.questions, self.questions + 1, size=self.histories)
        effects = random.exponential(size=self.histories) - 1 if self.skewed else random.normal(size=self.histories)
        effects *= 0 if self.independent else 0.1
        chances = np.clip(random.normal(0.55, 0.12, size=self.histories), 0.3, 0.8)
        sides = (np.repeat(chances + sign * effects / 2, sizes) for sign in (-1, 1))
        names = np.repeat([f"history {number}" for number in range(self.histories)], sizes)
        return self.scores(random, *sides).tolist(), names.tolist()


@dataclass(frozen=True)
class Rates:
    rejected: float
    covered: float


def covers(interval: Interval | None) -> bool:
    return interval is not None and interval.low <= 0 <= interval.high


def rates(design: Design, experiments: int) -> Rates:
    """What the test and the interval that suit the design do."""
    draws, rejected, covered = Draws(), 0, 0
    for seed in range(experiments):
        differences, names = design.draw(seed)
        clusters = None if design.independent else names
        rejected += permutation(differences, clusters).p <= LEVEL
        covered += covers(
            mean_interval(differences, draws=draws)
            if clusters is None
            else clustered_interval(differences, clusters, draws=draws)
        )
    print(f"{design}: rejected {rejected / experiments:.1%}, covered {covered / experiments:.1%} of {experiments}")
    return Rates(rejected / experiments, covered / experiments)


def within(share: float, low: float, high: float, experiments: int) -> bool:
    """Whether a true rate between `low` and `high` gives such a share, but for one chance in a thousand at each end."""
    least, most = binom.ppf(0.001, experiments, low), binom.ppf(0.999, experiments, high)
    return bool(least <= round(share * experiments) <= most)


@cache
def size_of_mcnemar(discordant: int) -> float:
    """How often the exact test rejects, at the 5 % level, when each of so many pairs falls on either side alike."""
    rejecting = [k for k in range(discordant + 1) if mcnemar_exact(k, discordant - k) <= LEVEL]
    return float(binom.pmf(rejecting, discordant, 0.5).sum())


SHORT = [Design(token_f1, 100, 1), Design(token_f1, 10), Design(verdicts, 10, 400, fewest=40)]
LONG = [
    *(Design(token_f1, pairs, 1) for pairs in (100, 400)),
    Design(verdicts, 400, 1),
    *(Design(scores, histories) for scores in (verdicts, token_f1) for histories in (10, 30)),
    *(Design(scores, histories, 400, 40) for scores in (verdicts, token_f1) for histories in (10, 30)),
]


@pytest.mark.parametrize("design", SHORT, ids=str)
def test_a_paired_comparison_is_right_as_often_as_it_says(design: Design) -> None:
    found = rates(design, 150)
    assert within(found.rejected, 0.035, 0.065, 150)
    assert within(found.covered, 0.93, 0.97, 150)


@pytest.mark.long
@pytest.mark.parametrize("design", LONG, ids=str)
def test_a_thousand_paired_comparisons_are_right_as_often_as_they_say(design: Design) -> None:
    found = rates(design, 1_000)
    assert 0.035 <= found.rejected <= 0.065
    assert 0.93 <= found.covered <= 0.97


@pytest.mark.parametrize("experiments", [100, pytest.param(1_000, marks=pytest.mark.long)])
def test_what_ignores_histories_is_wrong_most_of_the_time(experiments: int) -> None:
    mcnemar = flipped = covered = 0
    for seed in range(experiments):
        differences, _ = Design(verdicts, 10).draw(seed)
        mcnemar += mcnemar_exact(differences.count(-1), differences.count(1)) <= LEVEL
        flipped += permutation(differences).p <= LEVEL
        covered += covers(mean_interval(differences))
    print(f"ignoring histories: McNemar {mcnemar}, flips {flipped}, interval {covered} of {experiments}")
    assert mcnemar == flipped > 0.35 * experiments
    assert covered < 0.65 * experiments


@pytest.mark.parametrize("pairs", [30, 400])
def test_mcnemar_rejects_independent_verdicts_as_often_as_its_steps_allow(pairs: int) -> None:
    """The binomial distribution has steps, so the exact test stays below its level; by how much is known exactly."""
    rejected, expected, variance = 0, 0.0, 0.0
    for seed in range(400):
        differences, _ = Design(verdicts, pairs, 1).draw(seed)
        worse, better = differences.count(-1), differences.count(1)
        rejected += mcnemar_exact(worse, better) <= LEVEL
        size = size_of_mcnemar(worse + better)
        expected, variance = expected + size, variance + size * (1 - size)
    assert expected < 0.045 * 400
    assert abs(rejected - expected) < 3.3 * sqrt(variance)


def test_mcnemar_is_conservative_with_few_discordant_pairs() -> None:
    assert [size_of_mcnemar(discordant) for discordant in range(6)] == [0] * 6
    assert [round(size_of_mcnemar(discordant), 3) for discordant in (6, 8, 10, 20)] == [0.031, 0.008, 0.021, 0.041]
    assert all(size_of_mcnemar(discordant) <= LEVEL for discordant in range(300))


@pytest.mark.long
@pytest.mark.parametrize(("histories", "least", "most"), [(10, 0.88, 0.94), (30, 0.91, 0.96)])
def test_a_few_histories_that_differ_far_more_than_the_others_make_it_too_sure(
    histories: int, least: float, most: float
) -> None:
    """What the note on comparisons says: effects with a long tail are covered less often than 95 %."""
    found = rates(Design(verdicts, histories, skewed=True), 1_000)
    assert least <= found.covered <= most
    assert 0.04 <= found.rejected <= 0.12
