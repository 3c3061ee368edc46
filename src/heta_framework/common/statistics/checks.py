"""What every statistic here asks of its input."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def checked_values(values: Sequence[float]) -> Floats:
    """Return `values` as an array. Raises ValueError where there are none or one is not finite."""
    array = np.asarray(values, dtype=np.float64)
    if array.size == 0:
        raise ValueError("found no values; at least one is needed")
    if not np.isfinite(array).all():
        raise ValueError("found values that are not finite (NaN or infinite); leave them out and count them")
    return array


def checked_confidence(confidence: float) -> float:
    """Return `confidence`. Raises ValueError unless it lies strictly between 0 and 1."""
    if not 0 < confidence < 1:
        raise ValueError(f"found the confidence {confidence}; it must lie between 0 and 1")
    return confidence
