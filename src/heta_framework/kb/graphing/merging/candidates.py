"""Facts that look alike: sets of rows of vectors that a chain of similar pairs connects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Rows = npt.NDArray[np.float32]

_BLOCK = 1_024


def similar_sets(
    rows: Rows, threshold: float, *, among: Sequence[Sequence[int]] | None = None, top_k: int | None = None
) -> list[list[int]]:
    """Sets of at least two row numbers, ascending; blocks until it is done.

    Args:
        rows: (n, dimension), any length; a zero row is like nothing.
        threshold: the least cosine of a similar pair.
        among: only rows of the same group are compared; None compares all.
        top_k: a row is compared with so many of its nearest; None: with all.
    """
    parents = list(range(len(rows)))
    unit = _unit(rows)
    for group in among if among is not None else [range(len(rows))]:
        for one, other in similar_pairs(unit[list(group)], threshold, top_k=top_k):
            _join(parents, group[one], group[other])
    sets: dict[int, list[int]] = {}
    for row in range(len(rows)):
        sets.setdefault(_root(parents, row), []).append(row)
    return [members for members in sets.values() if len(members) > 1]


def similar_pairs(unit: Rows, threshold: float, *, top_k: int | None = None) -> Iterator[tuple[int, int]]:
    """Pairs (smaller, larger) of rows of unit length whose cosine is at least ``threshold``."""
    import numpy as np

    for start in range(0, len(unit), _BLOCK):
        cosines = unit[start : start + _BLOCK] @ unit.T
        for offset in range(len(cosines)):
            cosines[offset, start + offset] = -1.0
        if top_k is not None and top_k < len(unit) - 1:
            least = np.partition(cosines, -top_k, axis=1)[:, -top_k]
            cosines[cosines < least[:, None]] = -1.0
        for offset, other in np.argwhere(cosines >= max(threshold, 1e-6)):
            one = start + int(offset)
            yield (one, int(other)) if one < other else (int(other), one)


def _unit(rows: Rows) -> Rows:
    import numpy as np

    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Rows = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    return unit


def _root(parents: list[int], row: int) -> int:
    while parents[row] != row:
        parents[row] = parents[parents[row]]
        row = parents[row]
    return row


def _join(parents: list[int], one: int, other: int) -> None:
    first, second = sorted((_root(parents, one), _root(parents, other)))
    parents[second] = first
