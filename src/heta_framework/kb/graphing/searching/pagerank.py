"""Personalised PageRank by power iteration on a sparse matrix.

p = d (P p + r * mass of nodes without edges) + (1 - d) r: a walker follows an edge with probability d in proportion to
its weight, else begins anew as r says; where there is no edge it begins anew too (Page et al., 1999; Haveliwala, 2002).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float64]

_MOST_ITERATIONS = 200
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Walk:
    """A graph to walk on.

    Attributes:
        transition: (n, n) sparse; column j holds where a walker goes from node j, and sums to 1 or is empty.
        dangling: (n,), the nodes without edges.
    """

    transition: Any
    dangling: npt.NDArray[np.bool_]

    @property
    def edge_count(self) -> int:
        """Undirected edges; an edge of a node to itself counts as half of one."""
        return int(self.transition.nnz) // 2


def walk_on(nodes: int, ends: npt.NDArray[np.int64], weights: Vector) -> Walk:
    """A walk on an undirected graph.

    Args:
        ends: (edges, 2); an edge that comes several times has the sum of the weights, one of a node to itself is
            left out.
        weights: (edges,), above 0.
    """
    import numpy as np
    from scipy import sparse

    real = ends[:, 0] != ends[:, 1]
    one, other, weight = ends[real, 0], ends[real, 1], weights[real]
    rows, columns = np.concatenate([one, other]), np.concatenate([other, one])
    matrix = sparse.coo_matrix((np.concatenate([weight, weight]), (rows, columns)), shape=(nodes, nodes)).tocsr()
    total = np.asarray(matrix.sum(axis=0)).ravel()
    dangling = total == 0
    shares = np.divide(1.0, total, out=np.zeros_like(total), where=~dangling)
    return Walk((matrix @ sparse.diags_array(shares)).tocsr(), dangling)


def personalised_pagerank(walk: Walk, reset: Vector, damping: float) -> tuple[Vector, int]:
    """How often a walker is at each node, (n,) summing to 1, and how many iterations that took.

    Args:
        reset: (n,), not negative, with a sum above 0: where a walk begins.
        damping: the probability of following an edge, in [0, 1).

    Raises:
        ValueError: the reset has no positive entry, or the damping lies outside.
    """
    import numpy as np

    if not 0 <= damping < 1:
        raise ValueError(f"damping must be at least 0 and below 1, found {damping}")
    total = float(reset.sum())
    if not total > 0 or (reset < 0).any():
        raise ValueError("the reset vector must not be negative and must have a positive entry")
    start = reset / total
    rank = start.copy()
    for iteration in range(1, _MOST_ITERATIONS + 1):
        followed = walk.transition @ rank + start * rank[walk.dangling].sum()
        following = damping * followed + (1 - damping) * start
        change = float(np.abs(following - rank).sum())
        rank = following
        if change < _TOLERANCE:
            return rank, iteration
    return rank, _MOST_ITERATIONS
