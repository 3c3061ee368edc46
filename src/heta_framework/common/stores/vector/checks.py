"""Which vectors a collection accepts, and the float32 rows they become. Every refusal names the record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from heta_framework.common.stores.vector.types import Metric

Vectors = npt.NDArray[Any] | Sequence[Sequence[float] | npt.NDArray[Any]]
Rows = npt.NDArray[np.float32]

_LARGEST_NORM = 1e18  # its square, summed over any sane number of components, still fits float32
_BLOCK = 4096  # rows at a time, so that a large batch is not held in float64 as a whole


def checked_rows(vectors: Vectors, dimension: int, metric: Metric, name: Callable[[int], str]) -> Rows:
    """Return the vectors as rows (n, dimension), of unit length under cosine.

    Args:
        vectors: (n, dimension).
        dimension: the components that each must have.
        metric: under "cosine" a zero vector has no direction and is refused.
        name: what the vector of a row is called in a refusal, e.g. "vector of record 'a'".

    Raises:
        ValueError: a wrong dimension, a component that is no number, NaN or infinite, a norm above 1e18, a zero vector
            under cosine.
    """
    raw = _stacked(vectors, dimension, name)
    rows: Rows = np.empty(raw.shape, dtype=np.float32)
    for start in range(0, len(raw), _BLOCK):
        rows[start : start + _BLOCK] = _checked(raw[start : start + _BLOCK], metric, _shifted(name, start))
    return rows


def _shifted(name: Callable[[int], str], first: int) -> Callable[[int], str]:
    return lambda row: name(first + row)


def _checked(raw: npt.NDArray[Any], metric: Metric, name: Callable[[int], str]) -> npt.NDArray[Any]:
    with np.errstate(over="ignore", invalid="ignore"):
        norms = np.sqrt(np.einsum("ij,ij->i", raw, raw, dtype=np.float64))
    if not np.isfinite(norms).all():
        _refuse(name, ~np.isfinite(raw).all(axis=1), "holds a component that is not finite")
    _refuse(name, norms > _LARGEST_NORM, f"is longer than {_LARGEST_NORM:g}, too long for float32 arithmetic")
    if metric != "cosine":
        return raw
    _refuse(name, norms == 0, "is zero and has no direction, which cosine needs")
    unit: npt.NDArray[Any] = raw / norms[:, None]
    return unit


def _stacked(vectors: Vectors, dimension: int, name: Callable[[int], str]) -> npt.NDArray[Any]:
    if not len(vectors):
        return np.empty((0, dimension), dtype=np.float32)
    for row, vector in enumerate(vectors):
        if len(vector) != dimension:
            raise ValueError(f"{name(row)} has {len(vector)} components, expected {dimension}")
    stacked = _numbers(vectors, axes=2)
    if stacked is None:
        bad = next((row for row, vector in enumerate(vectors) if _numbers(vector, axes=1) is None), 0)
        raise ValueError(f"{name(bad)} holds a component that is not a number")
    return stacked if stacked.dtype == np.float32 else stacked.astype(np.float64)


def _numbers(values: Any, *, axes: int) -> npt.NDArray[Any] | None:
    try:
        array = np.asarray(values)
    except ValueError:  # ragged
        return None
    return array if array.ndim == axes and array.dtype.kind in "fiu" else None


def _refuse(name: Callable[[int], str], bad: npt.NDArray[np.bool_], what: str) -> None:
    if bad.any():
        raise ValueError(f"{name(int(bad.argmax()))} {what}")
