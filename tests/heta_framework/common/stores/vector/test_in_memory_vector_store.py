"""The asynchronous in-memory vector store."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import numpy as np
import pytest

from heta_framework.common.stores.vector import (
    InMemoryVectorStore,
    VectorCollectionConfig,
    VectorQuery,
    VectorRecord,
    VectorSearchResult,
    VectorStoreProtocol,
)

_RECORDS = [
    VectorRecord("east", [1, 0], "to the east", {"kind": "axis", "n": 1}),
    VectorRecord("north", [0, 2], "to the north", {"kind": "axis"}),
    VectorRecord("between", [1, 1], None, {"kind": "diagonal"}),
]


async def _filled(metric: Any = "cosine") -> InMemoryVectorStore:
    store = InMemoryVectorStore()
    await store.create_collection(VectorCollectionConfig("chunks", 2, metric))
    await store.upsert("chunks", _RECORDS)
    return store


def test_it_satisfies_the_protocol() -> None:
    assert isinstance(InMemoryVectorStore(), VectorStoreProtocol)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("cosine", [("east", 1.0), ("between", 0.5**0.5), ("north", 0.0)]),
        ("dot", [("between", 1.0), ("east", 1.0), ("north", 0.0)]),
        ("l2", [("east", 0.0), ("between", -1.0), ("north", -(5**0.5))]),
    ],
)
def test_every_metric_ranks_higher_first(metric: str, expected: list[tuple[str, float]]) -> None:
    async def work() -> None:
        hits = await (await _filled(metric)).search("chunks", VectorQuery([1, 0]))
        assert [hit.id for hit in hits] == [record_id for record_id, _ in expected]
        assert [hit.score for hit in hits] == pytest.approx([score for _, score in expected], abs=1e-6)

    anyio.run(work)


def test_hits_carry_text_and_metadata_and_filters_compare_it() -> None:
    async def work() -> None:
        store = await _filled()
        (hit,) = await store.search("chunks", VectorQuery([1, 1], top_k=1, filter={"kind": "axis", "n": 1}))
        assert (hit.id, hit.text, hit.metadata) == ("east", "to the east", {"kind": "axis", "n": 1})
        assert await store.search("chunks", VectorQuery([1, 1], filter={"absent": None})) == []

    anyio.run(work)


def test_upsert_replaces_and_delete_removes() -> None:
    async def work() -> None:
        store = await _filled()
        await store.upsert("chunks", [VectorRecord("east", [0, 1], "moved")])
        await store.delete("chunks", ["north", "unknown"])
        hits = await store.search("chunks", VectorQuery([0, 1]))
        assert [(hit.id, hit.text) for hit in hits] == [("east", "moved"), ("between", None)]
        assert await store.count("chunks") == 2

    anyio.run(work)


def test_a_bad_record_is_named_and_the_batch_is_not_written() -> None:
    async def work() -> None:
        store = await _filled()
        with pytest.raises(ValueError, match="vector of record 'bad' has 3 components, expected 2"):
            await store.upsert("chunks", [VectorRecord("good", [1, 0]), VectorRecord("bad", [1, 0, 0])])
        assert await store.count("chunks") == 3

    anyio.run(work)


def test_collections_are_made_once_and_dropped() -> None:
    async def work() -> None:
        store = await _filled()
        await store.create_collection(VectorCollectionConfig("chunks", 2))
        assert await store.count("chunks") == 3
        for other in (VectorCollectionConfig("chunks", 3), VectorCollectionConfig("chunks", 2, "dot")):
            with pytest.raises(ValueError, match="exists with dimension 2 and metric 'cosine', asked for"):
                await store.create_collection(other)
        await store.drop_collection("chunks")
        assert not await store.has_collection("chunks")

    anyio.run(work)


def test_every_call_names_an_unknown_collection() -> None:
    async def work() -> None:
        store = await _filled()
        calls: list[Callable[[], Awaitable[Any]]] = [
            lambda: store.upsert("chunk", []),
            lambda: store.search("chunk", VectorQuery([1, 0])),
            lambda: store.delete("chunk", []),
            lambda: store.count("chunk"),
        ]
        for call in calls:
            with pytest.raises(ValueError, match="'chunk' does not exist; known: chunks"):
                await call()

    anyio.run(work)


def test_concurrent_writers_lose_nothing() -> None:
    async def work() -> None:
        store = await _filled()
        async with anyio.create_task_group() as group:
            for n in range(50):
                group.start_soon(store.upsert, "chunks", [VectorRecord(f"r{n}", [1, n])])
                group.start_soon(store.search, "chunks", VectorQuery([1, 0]))
        assert await store.count("chunks") == 53

    anyio.run(work)


def test_a_numpy_row_is_kept_as_it_is_and_records_compare_by_value() -> None:
    row = np.array([1.0, 2.0], dtype=np.float32)
    record = VectorRecord("a", row, "text", None)  # type: ignore[arg-type]
    assert record.vector is row
    assert record.metadata == {}
    assert record == VectorRecord("a", [1.0, 2.0], "text", {})
    assert record != VectorRecord("a", [1.0, 2.5], "text")
    assert VectorQuery(row, filter=None) == VectorQuery((1.0, 2.0), 10, {})  # type: ignore[arg-type]
    assert VectorSearchResult("a", 0.5).metadata == {}


def test_a_search_sees_one_state_while_records_are_replaced_and_deleted() -> None:
    async def replace(store: InMemoryVectorStore) -> None:
        for number in range(30):
            records = [VectorRecord(f"r{n}", [1, n + 1], str(number), {"round": number}) for n in range(20)]
            await store.upsert("chunks", records)
            await store.delete("chunks", ["r19"])

    async def look(store: InMemoryVectorStore, wanted: dict[str, Any]) -> None:
        for _ in range(30):
            hits = await store.search("chunks", VectorQuery([1, 0], 100, wanted))
            rounds = {hit.text for hit in hits if hit.id.startswith("r")}
            assert len(rounds) <= 1
            assert all(hit.metadata["round"] == int(str(hit.text)) for hit in hits if hit.id.startswith("r"))

    async def work() -> None:
        store = await _filled()
        async with anyio.create_task_group() as group:
            group.start_soon(replace, store)
            for _ in range(3):
                group.start_soon(look, store, {})
                group.start_soon(look, store, {"round": 7})
        assert await store.count("chunks") == 22

    anyio.run(work)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: VectorCollectionConfig("", 2), "name must not be empty"),
        (lambda: VectorCollectionConfig("x", 0), "dimension must be greater than zero"),
        (lambda: VectorCollectionConfig("x", 2, "manhattan"), "metric must be one of"),  # type: ignore[arg-type]
        (lambda: VectorRecord(" ", [1]), "id must not be empty"),
        (lambda: VectorRecord("a", []), "vector must not be empty"),
        (lambda: VectorQuery([1], top_k=-1), "top_k must be greater than zero"),
    ],
)
def test_value_types_refuse_what_cannot_work(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
