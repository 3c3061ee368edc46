"""What the vector store asks of Qdrant, call by call. Everything here blocks."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from heta_framework.common.stores.facets import facets
from heta_framework.common.stores.fields import unique_ids
from heta_framework.common.stores.folder_names import folder_name, name_of_folder
from heta_framework.common.stores.storable import storable_metadata, storable_text
from heta_framework.common.stores.vector.checks import Rows, checked_rows
from heta_framework.common.stores.vector.collection_errors import check_same_space, unknown_collection
from heta_framework.common.stores.vector.scoring import exact_scores
from heta_framework.common.stores.vector.types import (
    Metric,
    VectorCollectionConfig,
    VectorQuery,
    VectorRecord,
    VectorSearchResult,
    checked_metric,
)

if TYPE_CHECKING:
    from qdrant_client import QdrantClient
    from qdrant_client.models import Filter, PointStruct, ScoredPoint

_IDS = uuid.UUID("5b8e6f4e-6a52-5c0b-9e4f-0d2a7f3c1b90")
_BATCH = 1_000
_SPARE = 16  # asked for beyond top_k: Qdrant orders by float32, the scores are float64
_FACETS = "facets"


class QdrantCollections:
    """The collections of one client. Names are percent-encoded: Qdrant does not take every character."""

    def __init__(self, client: QdrantClient, *, on_server: bool) -> None:
        self._client = client
        self._on_server = on_server

    def create(self, config: VectorCollectionConfig) -> None:
        """Make a collection, or check the one that is there."""
        from qdrant_client.models import Distance, PayloadSchemaType, VectorParams

        name = folder_name(config.name)
        if self.has(config.name):
            check_same_space(*self._space(config.name), config)
            return
        # rows are of unit length under cosine, where the inner product is the cosine
        distance = Distance.EUCLID if config.metric == "l2" else Distance.DOT
        self._client.create_collection(name, {config.metric: VectorParams(size=config.dimension, distance=distance)})
        if self._on_server:  # the local mode scans
            self._client.create_payload_index(name, _FACETS, PayloadSchemaType.KEYWORD)

    def drop(self, name: str) -> None:
        """Remove a collection; an unknown one is passed over."""
        self._client.delete_collection(folder_name(name))

    def has(self, name: str) -> bool:
        """Whether a collection exists."""
        exists: bool = self._client.collection_exists(folder_name(name))
        return exists

    def upsert(self, name: str, records: Sequence[VectorRecord]) -> None:
        """Add records or replace those of the same id; ValueError names a refused one, and nothing was written."""
        dimension, metric = self._space(name)
        ids = unique_ids(record.id for record in records)
        vectors = [record.vector for record in records]
        rows = checked_rows(vectors, dimension, metric, lambda row: f"vector of record {ids[row]!r}")
        payloads = [_payload(record) for record in records]
        for start in range(0, len(ids), _BATCH):
            part = slice(start, start + _BATCH)
            self._client.upsert(folder_name(name), _points(ids[part], rows[part], payloads[part], metric), wait=True)

    def search(self, name: str, query: VectorQuery) -> list[VectorSearchResult]:
        """The best hits, best first, equal scores in ascending order of id."""
        dimension, metric = self._space(name)
        asked = checked_rows([query.vector], dimension, metric, lambda _: "query vector")[0]
        limit = query.top_k + _SPARE
        while True:
            found = self._nearest(name, asked, metric, query.filter, limit)
            ranked = _ranked(found, asked, metric)
            # where the last one fetched scores as the last one wanted does, its equals may have been left out
            if len(found) < limit or ranked[-1].score < ranked[query.top_k - 1].score:
                return ranked[: query.top_k]
            limit *= 4

    def delete(self, name: str, ids: Sequence[str]) -> None:
        """Remove records; unknown ids are passed over."""
        from qdrant_client.models import PointIdsList

        self._space(name)
        points: list[Any] = [_point_id(record_id) for record_id in ids]
        if points:
            self._client.delete(folder_name(name), PointIdsList(points=points), wait=True)

    def count(self, name: str) -> int:
        """How many records a collection holds."""
        self._space(name)
        count: int = self._client.count(folder_name(name), exact=True).count
        return count

    def _space(self, name: str) -> tuple[int, Metric]:
        if not self.has(name):
            names = (collection.name for collection in self._client.get_collections().collections)
            raise unknown_collection(name, map(name_of_folder, names))
        vectors = self._client.get_collection(folder_name(name)).config.params.vectors
        if not isinstance(vectors, dict) or len(vectors) != 1:
            raise ValueError(f"collection {name!r} was not made by this store: it has no single named vector")
        ((metric, params),) = vectors.items()
        return params.size, checked_metric(metric)

    def _nearest(
        self, name: str, asked: Rows, metric: Metric, wanted: Mapping[str, Any], limit: int
    ) -> list[ScoredPoint]:
        answer = self._client.query_points(
            folder_name(name),
            query=asked.tolist(),
            using=metric,
            query_filter=_filter(wanted),
            limit=limit,
            with_payload=["id", "text", "metadata"],
            with_vectors=[metric],
        )
        points: list[ScoredPoint] = answer.points
        return points


def _payload(record: VectorRecord) -> dict[str, Any]:
    metadata = json.loads(storable_metadata(record.id, record.metadata))
    text = None if record.text is None else storable_text(record.text)
    return {"id": record.id, "text": text, "metadata": metadata, _FACETS: facets(metadata)}


def _points(ids: Sequence[str], rows: Rows, payloads: Sequence[dict[str, Any]], metric: Metric) -> list[PointStruct]:
    from qdrant_client.models import PointStruct

    parts: Iterator[Any] = zip(ids, rows.tolist(), payloads, strict=True)
    return [PointStruct(id=_point_id(name), vector={metric: row}, payload=payload) for name, row, payload in parts]


def _point_id(record_id: str) -> str:
    return str(uuid.uuid5(_IDS, record_id))


def _filter(wanted: Mapping[str, Any]) -> Filter | None:
    from qdrant_client.models import FieldCondition, Filter, MatchValue

    if not wanted:
        return None
    return Filter(must=[FieldCondition(key=_FACETS, match=MatchValue(value=word)) for word in facets(wanted)])


def _ranked(found: Sequence[ScoredPoint], asked: Rows, metric: Metric) -> list[VectorSearchResult]:
    """The found points with their exact scores, best first."""
    rows = np.array([_vector(point, metric) for point in found], dtype=np.float32).reshape(len(found), len(asked))
    scores = exact_scores(rows, np.arange(len(rows)), asked, metric).tolist()
    results = []
    for point, score in zip(found, scores, strict=True):
        payload = point.payload or {}
        results.append(VectorSearchResult(payload["id"], score, payload.get("text"), payload["metadata"]))
    return sorted(results, key=lambda hit: (-hit.score, hit.id))


def _vector(point: ScoredPoint, metric: Metric) -> Any:
    return point.vector[metric] if isinstance(point.vector, dict) else point.vector
