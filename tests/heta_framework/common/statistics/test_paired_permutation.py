"""The sign-flip test against scipy, full enumeration and McNemar's test."""

import math
import tracemalloc
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from heta_framework.common.statistics import PermutationTest, mcnemar_exact, paired_permutation


def mean_difference(one: NDArray[np.float64], other: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    means: NDArray[np.float64] = (one - other).mean(axis=axis)
    return means


def scipys_exact_p(differences: list[float]) -> float:
    sides = (np.array(differences), np.zeros(len(differences)))
    found = stats.permutation_test(
        sides, mean_difference, permutation_type="samples", n_resamples=np.inf, vectorized=True
    )
    return float(found.pvalue)


@pytest.mark.parametrize("units", [2, 5, 9, 12])
def test_an_exact_p_equals_scipys(units: int) -> None:
    random = np.random.default_rng(units)
    for differences in (
        random.normal(0.4, 1, units),
        random.integers(-2, 4, units) / 4,
        random.choice([0, -1, 1], units),
    ):
        found = paired_permutation(differences.tolist())
        assert found.method == "exact permutation"
        assert found.p == pytest.approx(scipys_exact_p(differences.tolist()), abs=1e-9)


def test_clusters_are_flipped_whole_as_in_scipy_on_their_sums() -> None:
    random = np.random.default_rng(8)
    names = random.permutation(np.repeat(list("abcdefghij"), random.integers(1, 200, 10)))
    differences = random.normal(0.05, 1, len(names))
    sums = [float(differences[names == name].sum()) for name in "abcdefghij"]
    found = paired_permutation(differences.tolist(), names.tolist())
    assert (found.method, found.units, found.differing, found.least_p) == ("exact permutation", 10, 10, 2 / 2**10)
    assert found.p == pytest.approx(scipys_exact_p(sums), abs=1e-9)


def test_a_case_by_hand() -> None:
    """Of the signs of 1, 2 and 4 only the two with 4 and 2 on one side and the 1 on any reach 5: 4 of 8."""
    assert paired_permutation([4, 2, -1]) == PermutationTest(0.5, "exact permutation", 3, 3, 0.25)
    assert paired_permutation([4, 2, 1]).p == 0.25


def test_two_clusters_by_hand() -> None:
    """Sums 3 and -1: the total 2 is reached by 4 and by 2, both ways, so always."""
    assert paired_permutation([1, 1, 1, -1], ["a", "a", "a", "b"]) == PermutationTest(1, "exact permutation", 2, 2, 0.5)


@pytest.mark.parametrize(
    ("differences", "clusters"),
    [([0.0] * 40, None), ([0.1, 0.2, -0.3], ["a"] * 3), ([0.1, 0.2, -0.3, 0], list("aaab"))],
)
def test_no_difference_is_no_evidence(differences: list[float], clusters: list[str] | None) -> None:
    found = paired_permutation(differences, clusters)
    assert (found.p, found.differing, found.least_p) == (1, 0, 1)


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 50))
def test_independent_verdicts_give_mcnemars_test(worse: int, better: int, same: int) -> None:
    found = paired_permutation([-1.0] * worse + [1.0] * better + [0.0] * (same + 1))
    assert found.method == "exact permutation"
    assert found.p == pytest.approx(mcnemar_exact(worse, better), rel=1e-9)


def test_magnitudes_that_repeat_are_enumerated_exactly() -> None:
    differences = [0.1] * 5 + [-0.1] * 2 + [0.3 - 0.2, 0.5, 0.5, -0.5, 0.9]  # 0.3 - 0.2 is not quite 0.1
    totals = [abs(math.fsum(np.multiply(signs, differences))) for signs in product((-1, 1), repeat=12)]
    expected = np.mean(np.array(totals) >= abs(math.fsum(differences)) - 1e-9)
    assert paired_permutation(differences).p == pytest.approx(float(expected), abs=1e-12)
    assert paired_permutation(differences * 10).method == "exact permutation"


def test_sampling_agrees_with_enumeration() -> None:
    """Two of seventeen differences are next to nothing, so the fifteen others, enumerated, have the same p."""
    differences = np.random.default_rng(2).normal(0.3, 1, 15).tolist()
    enumerated, sampled = paired_permutation(differences), paired_permutation([*differences, 1e-6, -2e-6])
    assert (enumerated.method, sampled.method) == ("exact permutation", "sampled permutation")
    assert abs(enumerated.p - sampled.p) < 4 * math.sqrt(enumerated.p * (1 - enumerated.p) / 10_000)


def test_a_sampled_p_is_never_0_and_counts_the_observed_arrangement() -> None:
    differences = np.random.default_rng(1).uniform(0.5, 1, 100).tolist()
    for draws in (1, 99, 10_000):
        found = paired_permutation(differences, draws=draws)
        assert found.p == found.least_p == pytest.approx(1 / (draws + 1))


def test_a_seed_names_one_result() -> None:
    differences = np.random.default_rng(3).normal(0, 1, 100).tolist()
    assert paired_permutation(differences, seed=1) == paired_permutation(differences, seed=1)
    assert paired_permutation(differences, seed=1) != paired_permutation(differences, seed=2)


_rows = st.lists(st.tuples(st.floats(-1, 1), st.sampled_from("abcdefgh")), min_size=1, max_size=40)


@settings(max_examples=50)
@given(_rows, st.randoms())
@example([(0.1, "a"), (0.2, "a"), (0.3, "b"), (-0.6, "a"), (1e-300, "b")], Random(1))
def test_order_swapped_sides_and_scale_do_not_matter(rows: list[tuple[float, str]], random: Random) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    values, names = zip(*rows, strict=True)
    others, other_names = zip(*shuffled, strict=True)
    for one, other in ((values, others), (values, [-value for value in others]), (values, [4 * v for v in others])):
        assert paired_permutation(one, draws=50) == paired_permutation(other, draws=50)
        assert paired_permutation(one, names, draws=50) == paired_permutation(other, other_names, draws=50)


@given(_rows)
def test_p_lies_between_the_least_possible_and_1(rows: list[tuple[float, str]]) -> None:
    values, names = zip(*rows, strict=True)
    for found in (paired_permutation(values, draws=50), paired_permutation(values, names, draws=50)):
        assert 0 <= found.differing <= found.units <= len(rows)
        assert found.least_p * (1 - 1e-9) <= found.p <= 1


def test_clusters_of_one_are_independent_pairs() -> None:
    values = np.random.default_rng(4).normal(0.2, 1, 30).tolist()
    assert paired_permutation(values, [f"{number}" for number in range(30)]) == paired_permutation(values)


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="found no values"):
        paired_permutation([])
    with pytest.raises(ValueError, match="not finite"):
        paired_permutation([0.5, math.nan])
    with pytest.raises(ValueError, match="found 1 cluster names for 2 values"):
        paired_permutation([0.5, 0.1], ["a"])
    with pytest.raises(ValueError, match="found 0 draws"):
        paired_permutation([0.5, 0.1], draws=0)


def test_a_long_list_is_tested_in_little_memory() -> None:
    """Signs of 20,000 pairs in 10,000 draws would be 200 million numbers at once."""
    differences = np.random.default_rng(7).normal(0, 1, 20_000)
    tracemalloc.start()
    try:
        found = paired_permutation(differences.tolist())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    expected = 2 * stats.norm.sf(abs(differences.sum()) / math.sqrt(np.square(differences).sum()))
    assert peak < 10_000_000
    assert abs(found.p - expected) < 4 * math.sqrt(expected * (1 - expected) / 10_000)
