"""Whether a mean difference of pairs could be chance: the test that swaps the two sides of whole units at random.

If two systems are alike, each unit (a pair, or all pairs of a cluster at once) could as well have come out the other
way round, so its sum of differences has either sign with the same chance. p is the share of arrangements of the signs
whose total is at least as far from 0 as the observed one (R. A. Fisher, "The Design of Experiments", 1935, chapter 3).
Clusters are flipped whole, because their pairs are alike (A. M. Winkler et al., "Permutation inference for the general
linear model", NeuroImage 92, 2014); with few clusters the test still holds its level, which tests that lean on large
numbers do not (I. A. Canay, J. P. Romano, A. M. Shaikh, "Randomization Tests Under an Approximate Symmetry Assumption",
Econometrica 85, 2017).

Units of the same magnitude are interchangeable, so only the number of positive ones among them is enumerated: 16
different clusters have 2^16 arrangements, and 60,000 questions that are right or wrong have 60,001.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import fsum, ldexp

import numpy as np

from heta_framework.common.statistics.checks import Floats, checked_values
from heta_framework.common.statistics.clusters import cluster_sums

_LOG2_OF_MOST_ENUMERATED = 16
_DIGITS = 10
_UNITS_AT_ONCE = 8
_SIGNS: Floats = np.array(list(product((-1.0, 1.0), repeat=_UNITS_AT_ONCE)))


@dataclass(frozen=True)
class PermutationTest:
    """The outcome of a sign-flip test.

    `p` is two-sided, between 0 and 1. `method` is ``"exact permutation"`` or ``"sampled permutation"``. `units` is the
    number of clusters, or of pairs without clusters, and `differing` that of those whose sum of differences is not 0.
    `least_p` is the smallest p that so many differing units can give: five clusters cannot come below 0.0625.
    """

    p: float
    method: str
    units: int
    differing: int
    least_p: float


def paired_permutation(
    differences: Sequence[float], clusters: Sequence[str] | None = None, *, draws: int = 10_000, seed: int = 0
) -> PermutationTest:
    """Test whether the mean of `differences` is 0; `clusters` names the cluster of each, which is flipped as a whole.

    All arrangements are enumerated where at most 2^16 can be told apart, else `draws` are sampled with `seed` and the
    observed one is counted among them (B. Phipson, G. K. Smyth, "Permutation P-values Should Never Be Zero",
    Statistical Applications in Genetics and Molecular Biology 9, 2010). The outcome is the same for any order of the
    differences and for their negatives. Without differing units p is 1. Memory grows with `draws` plus the pairs.

    Raises ValueError for no differences, differences that are not finite, another number of names than of differences,
    draws below 1.
    """
    if draws < 1:
        raise ValueError(f"found {draws} draws; at least one is needed")
    values = checked_values(differences)
    sums = _rounded(values if clusters is None else cluster_sums(values, clusters)[0], np.abs(values).max())
    magnitudes = np.sort(np.abs(sums[sums != 0]))
    differing = len(magnitudes)
    rounding = (differing + magnitudes.sum()) * 10.0**-_DIGITS  # totals that are equal but for it are equal
    reach = abs(fsum(sums)) - rounding
    sizes, counts = np.unique(magnitudes, return_counts=True)
    if np.log2(counts + 1).sum() <= _LOG2_OF_MOST_ENUMERATED:
        p, least = _enumerated(sizes, counts.tolist(), reach), min(1.0, ldexp(2, -differing))
        return PermutationTest(p, "exact permutation", len(sums), differing, least)
    p, least = _sampled(magnitudes, reach, draws, seed), 1 / (1 + draws)
    return PermutationTest(p, "sampled permutation", len(sums), differing, least)


def _rounded(sums: Floats, largest: float) -> Floats:
    """Return `sums` over the `largest` difference, without the last digits, so that equal ones are equal and 0 is 0."""
    return sums if largest == 0 else np.round(sums / largest, _DIGITS)


def _enumerated(sizes: Floats, counts: list[int], reach: float) -> float:
    totals, shares = np.zeros(1), np.ones(1)
    for size, count in zip(sizes, counts, strict=True):
        totals = np.add.outer(totals, size * (2 * np.arange(count + 1) - count)).ravel()
        shares = np.multiply.outer(shares, _heads(count)).ravel()
    return min(1.0, float(shares[np.abs(totals) >= reach].sum()))


def _heads(tosses: int) -> Floats:
    """Return the chance of each number of heads, 0 to `tosses`; going outwards from the middle keeps it accurate."""
    middle = (tosses + 1) // 2
    heads = np.arange(middle, tosses)
    upper = np.concatenate([[1.0], np.cumprod((tosses - heads) / (heads + 1))])
    both = np.concatenate([upper[::-1], upper[1 - tosses % 2 :]])
    shares: Floats = both / both.sum()
    return shares


def _sampled(magnitudes: Floats, reach: float, draws: int, seed: int) -> float:
    """Sample signs as bytes: each looks up the total of eight units in a table of their 256 arrangements."""
    random = np.random.default_rng(seed)
    totals = np.zeros(draws)
    for start in range(0, len(magnitudes), _UNITS_AT_ONCE):
        units = magnitudes[start : start + _UNITS_AT_ONCE]
        table = _SIGNS[:, : len(units)] @ units
        drawn = random.integers(len(table), size=draws, dtype=np.uint8)
        totals += table.take(drawn, mode="clip")  # no byte is out of bounds, and not checking halves the time
    return float(1 + np.count_nonzero(np.abs(totals) >= reach)) / (1 + draws)
