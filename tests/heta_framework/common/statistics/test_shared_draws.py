"""Intervals that share their draws are those that are drawn one by one."""

import numpy as np
import pytest

from heta_framework.common.statistics import Draws, clustered_interval, mean_interval, summarise


@pytest.mark.parametrize("count", [2, 13, 200])
def test_shared_draws_give_the_same_intervals(count: int) -> None:
    draws = Draws()
    for seed in range(3):
        values = np.random.default_rng(seed).random(count).tolist()
        clusters = [f"c{number % max(2, count // 3)}" for number in range(count)]
        for alone, shared in (
            (mean_interval(values), mean_interval(values, draws=draws)),
            (clustered_interval(values, clusters), clustered_interval(values, clusters, draws=draws)),
            (summarise(values).interval, summarise(values, None, draws).interval),
            (summarise(values, clusters).interval, summarise(values, clusters, draws).interval),
        ):
            assert alone is not None
            assert shared is not None
            assert (shared.low, shared.high) == pytest.approx((alone.low, alone.high), rel=1e-12)
            assert shared.method == alone.method


def test_draws_for_other_sizes_and_seeds_are_their_own() -> None:
    draws = Draws()
    values = [0.1, 0.5, 0.2, 0.9]
    for seed in (0, 1, 0):
        alone, shared = mean_interval(values, seed=seed), mean_interval(values, seed=seed, draws=draws)
        assert alone is not None
        assert shared is not None
        assert (shared.low, shared.high) == pytest.approx((alone.low, alone.high), rel=1e-12)
    assert draws.counts(3, 50, 0).sum(axis=1).tolist() == [3.0] * 50
