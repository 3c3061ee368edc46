"""What goes into a vector collection and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import eq
from typing import TYPE_CHECKING, Any, Literal, get_args

from heta_framework.common.stores.fields import mapping_copy, positive, required_text

if TYPE_CHECKING:
    import numpy.typing as npt

Metric = Literal["cosine", "dot", "l2"]
DistanceMetric = Metric


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
        metadata_schema: a note on what records carry; no store here needs one.
    """

    name: str
    dimension: int
    metric: Metric = "cosine"
    metadata_schema: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", required_text("name", self.name))
        positive("dimension", self.dimension)
        checked_metric(self.metric)


@dataclass(frozen=True, eq=False)
class VectorRecord:
    """One vector with what it stands for.

    Attributes:
        id: not blank, unique in the collection; a record with a known id replaces the older one.
        vector: finite components, kept as they come (an array's row is not copied); the collection checks their number.
        text: what was embedded, if it is to come back with hits.
        metadata: returned with every hit; filters compare it. None is {}.
    """

    id: str
    vector: Sequence[float] | npt.NDArray[Any]
    text: str | None = None
    metadata: Mapping[str, Any] = None  # type: ignore[assignment]  # given as None, read as a mapping

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", required_text("id", self.id))
        _check_vector(self.vector)
        object.__setattr__(self, "metadata", mapping_copy(self.metadata))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VectorRecord):
            return NotImplemented
        mine, theirs = (self.id, self.text, self.metadata), (other.id, other.text, other.metadata)
        return mine == theirs and _same_vector(self.vector, other.vector)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class VectorQuery:
    """A question to a collection.

    Attributes:
        vector: finite components, as many as the collection has.
        top_k: how many hits at most, at least 1.
        filter: metadata that a hit must carry, compared with ==. None is {}.
    """

    vector: Sequence[float] | npt.NDArray[Any]
    top_k: int = 10
    filter: Mapping[str, Any] = None  # type: ignore[assignment]  # given as None, read as a mapping

    def __post_init__(self) -> None:
        _check_vector(self.vector)
        positive("top_k", self.top_k)
        object.__setattr__(self, "filter", mapping_copy(self.filter))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VectorQuery):
            return NotImplemented
        same_rest = (self.top_k, self.filter) == (other.top_k, other.filter)
        return same_rest and _same_vector(self.vector, other.vector)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class VectorSearchResult:
    """One hit; a higher score is better, under every metric."""

    id: str
    score: float
    text: str | None = None
    metadata: Mapping[str, Any] = None  # type: ignore[assignment]  # given as None, read as a mapping

    def __post_init__(self) -> None:
        object.__setattr__(self, "metadata", mapping_copy(self.metadata))


def _check_vector(vector: Sequence[float] | npt.NDArray[Any]) -> None:
    if not len(vector):
        raise ValueError("vector must not be empty")


def _same_vector(one: Sequence[float] | npt.NDArray[Any], other: Sequence[float] | npt.NDArray[Any]) -> bool:
    return len(one) == len(other) and all(map(eq, one, other))
