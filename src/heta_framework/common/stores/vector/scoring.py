"""Exact nearest neighbours: float32 matrix products propose, float64 decides.

A product over a whole matrix may differ in its last digits with a row's position, so equal vectors would get unequal
scores and ties an order of chance. The product is therefore only used to find the candidates: all rows within the
rounding error of the k-th best. These few are scored again, each by itself, in float64.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from heta_framework.common.stores.vector.checks import Rows
from heta_framework.common.stores.vector.types import Metric

_ROUNDING = float(np.finfo(np.float32).eps) / 2
_BLOCK = 4096

Scores = npt.NDArray[np.float64]


def best_rows(
    rows: Rows, query: Rows, k: int, metric: Metric, longest: float, *, dead: npt.NDArray[np.bool_] | None = None
) -> tuple[npt.NDArray[np.intp], Scores]:
    """Return the numbers and exact scores of all rows that may be among the k best.

    Args:
        rows: (n, d).
        query: (d,).
        k: at least 1.
        metric: rows and query are of unit length under "cosine".
        longest: an upper bound of the rows' norms; it bounds the rounding error.
        dead: (n,), True for rows that are passed over.
    """
    if len(rows) <= k:
        candidates = np.arange(len(rows)) if dead is None else np.flatnonzero(~dead)
    else:
        proposed = _proposed(rows, query, metric)
        if dead is not None:
            proposed[dead] = -np.inf
        threshold = np.partition(proposed, len(rows) - k)[len(rows) - k]
        candidates = np.flatnonzero(proposed >= threshold - 2 * _error_bound(query, metric, longest))
        if dead is not None:  # where fewer than k are alive, the threshold is no threshold
            candidates = candidates[~dead[candidates]]
    return candidates, exact_scores(rows, candidates, query, metric)


def _proposed(rows: Rows, query: Rows, metric: Metric) -> Rows:
    # one core a search: the threads of BLAS behind `@` stand in each other's way as soon as two searches meet
    products: Rows = np.vecdot(rows, query)
    if metric != "l2":
        return products
    nearness: Rows = 2 * products - np.vecdot(rows, rows)  # |q|^2 minus the squared distance
    return nearness


def _error_bound(query: Rows, metric: Metric, longest: float) -> float:
    norm = float(np.linalg.norm(query.astype(np.float64)))
    size = longest * norm if metric != "l2" else longest * longest + 2 * longest * norm
    return (query.size + 4) * _ROUNDING * size


def exact_scores(rows: Rows, candidates: npt.NDArray[np.intp], query: Rows, metric: Metric) -> Scores:
    """The scores of some of the rows, each computed by itself in float64: equal rows score equally, wherever they are.

    Args:
        rows: (n, d).
        candidates: numbers of rows.
        query: (d,).
        metric: rows and query are of unit length under "cosine".
    """
    exact_query = query.astype(np.float64)
    scores = np.empty(len(candidates))
    for start in range(0, len(candidates), _BLOCK):
        block = rows[candidates[start : start + _BLOCK]].astype(np.float64)
        scores[start : start + _BLOCK] = (
            -np.sqrt(((block - exact_query) ** 2).sum(axis=1)) if metric == "l2" else (block * exact_query).sum(axis=1)
        )
    return scores
