"""What goes into a vector collection and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from heta_framework.common.stores.fields import positive, required_text

Metric = Literal["cosine", "dot", "l2"]


def checked_metric(metric: str) -> Metric:
    """Return `metric` when it is one of ours, else raise ValueError that lists them."""
    for known in get_args(Metric):
        if metric == known:
            return known  # type: ignore[no-any-return]
    raise ValueError(f"metric must be one of: {', '.join(get_args(Metric))}; found {metric!r}")


@dataclass(frozen=True)
class VectorCollectionConfig:
    """One collection of vectors of the same length.

    Attributes:
        name: not blank.
        dimension: components of every vector, at least 1.
        metric: "cosine", "dot" (inner product) or "l2"; a score is always "higher is better", so l2 scores -distance.
    """

    name: str
    dimension: int
    metric: Metric = "cosine"

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", required_text("name", self.name))
        positive("dimension", self.dimension)
        checked_metric(self.metric)


@dataclass(frozen=True)
class VectorRecord:
    """One vector with what it stands for.

    Attributes:
        id: not blank, unique in the collection; a record with a known id replaces the older one.
        vector: finite components; the collection checks their number.
        text: what was embedded, if it is to come back with hits.
        metadata: returned with every hit; filters compare it.
    """

    id: str
    vector: Sequence[float]
    text: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", required_text("id", self.id))
        object.__setattr__(self, "vector", tuple(self.vector))
        object.__setattr__(self, "metadata", dict(self.metadata))


@dataclass(frozen=True)
class VectorQuery:
    """A question to a collection.

    Attributes:
        vector: finite components, as many as the collection has.
        top_k: how many hits at most, at least 1.
        filter: metadata that a hit must carry, compared with ==.
    """

    vector: Sequence[float]
    top_k: int = 10
    filter: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "vector", tuple(self.vector))
        positive("top_k", self.top_k)
        object.__setattr__(self, "filter", dict(self.filter or {}))


@dataclass(frozen=True)
class VectorSearchResult:
    """One hit; a higher score is better, under every metric."""

    id: str
    score: float
    text: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
