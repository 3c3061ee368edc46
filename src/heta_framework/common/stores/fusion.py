"""Reciprocal rank fusion: several rankings of the same things become one, without comparing their scores."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum


def rrf(
    rankings: Sequence[Sequence[str]], *, k: float = 60, weights: Sequence[float] | None = None
) -> list[tuple[str, float]]:
    """Fuse rankings: an id scores the sum of weight / (k + rank) over the rankings that hold it, ranks from 1.

    Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods",
    SIGIR 2009, whose constant is k = 60; the weights are the usual generalisation (1 each there).

    Args:
        rankings: ids, best first; later copies of an id within one ranking are dropped.
        k: how much the first ranks stand out, greater than or equal to 0.
        weights: one finite weight >= 0 a ranking; 1 each when left out.

    Returns:
        (id, score), best first; equal scores in ascending order of id, so the order of the rankings never decides.

    Raises:
        ValueError: k or a weight is negative or not finite, or the number of weights differs from that of rankings.
    """
    if not 0 <= k < float("inf"):
        raise ValueError(f"k must be a finite number of at least 0, found {k}")
    scores: dict[str, list[float]] = {}
    for ranking, weight in zip(rankings, _checked(weights, len(rankings)), strict=True):
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            scores.setdefault(item, []).append(weight / (k + rank))
    # fsum rounds once, so that the order of the rankings cannot change the last digit
    fused = [(item, fsum(parts)) for item, parts in scores.items()]
    return sorted(fused, key=lambda pair: (-pair[1], pair[0]))


def _checked(weights: Sequence[float] | None, count: int) -> Sequence[float]:
    if weights is None:
        return [1.0] * count
    if len(weights) != count:
        raise ValueError(f"weights must be one a ranking: found {len(weights)} weights for {count} rankings")
    for weight in weights:
        if not 0 <= weight < float("inf"):
            raise ValueError(f"weights must be finite and at least 0, found {weight}")
    return weights
