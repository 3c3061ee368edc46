"""What every vector store says of a collection that is not there, or is there with other vectors."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from heta_framework.common.stores.vector.types import Metric, VectorCollectionConfig


def unknown_collection(name: str, known: Iterable[str]) -> ValueError:
    """The error for a call on a collection that does not exist; it names the known ones."""
    names = sorted(known)
    near = get_close_matches(name, names, n=1)
    hint = f"; nearest: {near[0]!r}" if near and len(names) > 1 else ""
    return ValueError(f"vector collection {name!r} does not exist; known: {', '.join(names) or 'none'}{hint}")


def check_same_space(dimension: int, metric: Metric, asked: VectorCollectionConfig) -> None:
    """Refuse to make a collection that exists with another dimension or metric.

    Raises:
        ValueError: the two differ; the message holds both.
    """
    if (dimension, metric) != (asked.dimension, asked.metric):
        raise ValueError(
            f"vector collection {asked.name!r} exists with dimension {dimension} and metric {metric!r}, asked for "
            f"dimension {asked.dimension} and metric {asked.metric!r}; drop it first or use another name"
        )
