"""Pairs of entities whose names mean nearly the same, as vectors see it.

Edges between them let a search pass from one way of saying to another (HippoRAG 2, Gutiérrez et al., 2025,
arXiv 2502.14802, section 3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Rows = npt.NDArray[np.float32]

MOST_COMPARISONS = 4_000_000_000
NEAREST = 10
_BLOCK = 1_024
_SHORTEST_NAME = 3


def may_have_synonyms(name: str) -> bool:
    """Whether the name is long enough to mean something by itself."""
    return sum(character.isalnum() for character in name) >= _SHORTEST_NAME


def synonym_pairs(rows: Rows, fresh: Sequence[int], threshold: float) -> Iterator[tuple[int, int, float]]:
    """Pairs (smaller row, larger row, cosine) of a fresh row and any other, each once.

    Args:
        rows: vectors of the names, (n, dimension); a zero row is like nothing.
        fresh: rows to find the synonyms of: at most the ten nearest whose cosine is at least ``threshold``.
    """
    import numpy as np

    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    seen: set[tuple[int, int]] = set()
    for start in range(0, len(fresh), _BLOCK):
        block = list(fresh[start : start + _BLOCK])
        cosines = unit[block] @ unit.T
        cosines[np.arange(len(block)), block] = -1.0
        for offset in np.flatnonzero((cosines >= threshold).any(axis=1)):
            for other in _nearest(cosines[offset], threshold):
                pair = (min(block[offset], other), max(block[offset], other))
                if pair not in seen:
                    seen.add(pair)
                    yield *pair, float(min(cosines[offset, other], 1.0))


def _nearest(cosines: npt.NDArray[np.float32], threshold: float) -> list[int]:
    import numpy as np

    near = np.flatnonzero(cosines >= threshold)
    ranked = near[np.argsort(-cosines[near], kind="stable")]
    return [int(row) for row in ranked[:NEAREST]]
