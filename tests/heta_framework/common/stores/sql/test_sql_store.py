"""A database behind one interface: SQLite in memory and in a file, PostgreSQL."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from heta_framework.common.stores import (
    SQLExecutorProtocol,
    SQLResult,
    SQLStore,
    SQLStoreConfig,
    SQLStoreError,
    SQLStoreProtocol,
    SQLTransactionProtocol,
)

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["sqlite memory", "sqlite file", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[SQLStore]:
    """Each kind of database, with an empty table ``boxes``."""
    urls = {"sqlite memory": "sqlite://", "sqlite file": f"sqlite:///{tmp_path}/new/folder/kb.db"}
    store = SQLStore(urls.get(request.param) or request.getfixturevalue("postgres"))
    await store.execute("CREATE TABLE boxes (number INTEGER PRIMARY KEY, holds TEXT)")
    yield store
    await store.aclose()


async def _numbers(store: SQLStore) -> list[int]:
    return [row["number"] for row in await store.fetch_all("SELECT number FROM boxes ORDER BY number")]


async def test_rows_go_in_by_name_and_come_out_as_dicts(store: SQLStore) -> None:
    assert isinstance(store, SQLStoreProtocol)
    insert = "INSERT INTO boxes VALUES (:number, :holds)"
    assert await store.execute(insert, {"number": 1, "holds": "a kettle: 10:30 ünïcode"}) == SQLResult(1)
    assert await store.execute(insert, [{"number": 2, "holds": "b"}, {"number": 3, "holds": None}]) == SQLResult(2)
    assert await store.fetch_one("SELECT * FROM boxes WHERE number = :n", {"n": 1, "unused": 0}) == {
        "number": 1,
        "holds": "a kettle: 10:30 ünïcode",
    }
    assert await store.fetch_one("SELECT * FROM boxes WHERE number = :n", {"n": 9}) is None
    assert await store.fetch_all("SELECT holds FROM boxes WHERE number > 1 ORDER BY number") == [
        {"holds": "b"},
        {"holds": None},
    ]
    assert await store.execute("UPDATE boxes SET holds = 'x'") == SQLResult(3)


async def test_many_rows_go_in_together_or_not_at_all(store: SQLStore) -> None:
    insert = "INSERT INTO boxes (number) VALUES (:number)"
    assert await store.execute_many(insert, [{"number": number} for number in range(500)]) == SQLResult(500)
    with pytest.raises(Exception, match=r"(?i)unique"):
        await store.execute_many(insert, [{"number": 500}, {"number": 3}])
    assert await _numbers(store) == list(range(500))
    assert await store.execute_many(insert, []) == await store.execute(insert, []) == SQLResult(0)


async def test_a_write_that_returns_rows_is_kept(store: SQLStore) -> None:
    row = await store.fetch_one("INSERT INTO boxes VALUES (7, 'a') RETURNING number")
    assert row == {"number": 7}
    assert await _numbers(store) == [7]


async def test_a_transaction_is_kept_when_its_block_ends(store: SQLStore) -> None:
    async with store.transaction() as transaction:
        assert isinstance(transaction, SQLTransactionProtocol)
        assert isinstance(transaction, SQLExecutorProtocol)
        await transaction.execute("INSERT INTO boxes (number) VALUES (1)")
        await transaction.execute_many("INSERT INTO boxes (number) VALUES (:n)", [{"n": 2}, {"n": 3}])
        assert await transaction.fetch_one("SELECT count(*) AS n FROM boxes") == {"n": 3}
        assert len(await transaction.fetch_all("SELECT * FROM boxes")) == 3
    assert await _numbers(store) == [1, 2, 3]
    with pytest.raises(Exception, match="closed"):
        await transaction.execute("SELECT 1")


async def test_a_transaction_is_undone_by_any_exception(store: SQLStore) -> None:
    async def fail() -> None:
        async with store.transaction() as transaction:
            await transaction.execute("INSERT INTO boxes (number) VALUES (1)")
            await transaction.execute("CREATE TABLE others (a INTEGER)")
            raise KeyError("out of it")

    with pytest.raises(KeyError, match="out of it"):
        await fail()
    assert await _numbers(store) == []
    await store.execute("CREATE TABLE others (a INTEGER)")


async def test_a_transaction_is_undone_by_a_cancellation(store: SQLStore) -> None:
    with anyio.move_on_after(0.05) as scope:
        async with store.transaction() as transaction:
            await transaction.execute("INSERT INTO boxes (number) VALUES (1)")
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert await _numbers(store) == []
    await store.execute("INSERT INTO boxes (number) VALUES (2)")
    assert await _numbers(store) == [2]


async def test_a_deadline_ends_a_loop_of_statements(store: SQLStore) -> None:
    async def endless(executor: SQLExecutorProtocol) -> None:
        while True:
            await executor.fetch_all("SELECT * FROM boxes")

    with anyio.fail_after(10):
        with anyio.move_on_after(0.02):
            await endless(store)
        with anyio.move_on_after(0.02):
            async with store.transaction() as transaction:
                await endless(transaction)


async def test_tasks_share_a_store_and_a_transaction(store: SQLStore) -> None:
    async def insert(executor: SQLExecutorProtocol, number: int) -> None:
        await executor.execute("INSERT INTO boxes (number) VALUES (:n)", {"n": number})
        await executor.fetch_all("SELECT * FROM boxes")

    async with anyio.create_task_group() as group:
        for number in range(60):
            group.start_soon(insert, store, number)
    async with store.transaction() as transaction, anyio.create_task_group() as group:
        for number in range(60, 80):
            group.start_soon(insert, transaction, number)
    assert await _numbers(store) == list(range(80))


async def test_a_store_serves_several_event_loops_at_once(store: SQLStore) -> None:
    def thread(first: int) -> None:
        async def work() -> None:
            for number in range(first, first + 10):
                async with store.transaction() as transaction:
                    await transaction.execute("INSERT INTO boxes (number) VALUES (:n)", {"n": number})

        anyio.run(work)

    async with anyio.create_task_group() as group:
        for first in (0, 10, 20):
            group.start_soon(anyio.to_thread.run_sync, thread, first)
    assert await _numbers(store) == list(range(30))


async def test_what_is_no_statement_or_no_parameters_is_refused(store: SQLStore) -> None:
    with pytest.raises(ValueError, match="must not be empty"):
        await store.execute("  ")
    with pytest.raises(TypeError, match="got int"):
        await store.fetch_all(5)  # type: ignore[arg-type]
    for parameters in ((1,), "text", 5, [{"a": 1}, 2]):
        with pytest.raises(TypeError, match="mapping of names"):
            await store.execute("SELECT :a", parameters)  # type: ignore[arg-type]
    with pytest.raises(Exception, match="parameter 'a'"):
        await store.fetch_all("SELECT :a")


async def test_in_a_file_readers_do_not_wait_for_a_writer(tmp_path: Path) -> None:
    store = SQLStore(f"sqlite:///{tmp_path}/kb.db")
    await store.execute("CREATE TABLE boxes (number INTEGER)")
    async with store.transaction() as transaction:
        await transaction.execute("INSERT INTO boxes VALUES (1)")
        assert await store.fetch_all("SELECT * FROM boxes") == []
    assert len(await store.fetch_all("SELECT * FROM boxes")) == 1
    await store.aclose()


@pytest.mark.parametrize("place", ["sqlite://", "sqlite:///{folder}/kb.db"])
async def test_waiting_for_the_own_transaction_is_refused_not_for_ever(place: str, tmp_path: Path) -> None:
    store = SQLStore(place.format(folder=tmp_path))
    await store.execute("CREATE TABLE boxes (number INTEGER)")
    async with store.transaction():
        for call in (store.execute("DELETE FROM boxes"), store.fetch_one("INSERT INTO boxes VALUES (1) RETURNING 1")):
            with pytest.raises(RuntimeError, match="inside a transaction of this task"):
                await call
        with pytest.raises(RuntimeError, match="inside a transaction"):
            async with store.transaction():
                pass
    await store.execute("DELETE FROM boxes")
    await store.aclose()


async def test_two_in_memory_stores_do_not_meet() -> None:
    one, other = SQLStore("sqlite://"), SQLStore("sqlite:///:memory:")
    await one.execute("CREATE TABLE boxes (number INTEGER)")
    with pytest.raises(Exception, match="no such table"):
        await other.fetch_all("SELECT * FROM boxes")
    await one.aclose()
    await other.aclose()


async def test_two_stores_write_to_one_file(tmp_path: Path) -> None:
    stores = [SQLStore(f"sqlite:///{tmp_path}/kb.db") for _ in range(2)]
    await stores[0].execute("CREATE TABLE boxes (number INTEGER)")

    async def work(store: SQLStore) -> None:
        for _ in range(20):
            async with store.transaction() as transaction:
                seen = await transaction.fetch_one("SELECT count(*) AS n FROM boxes")
                assert seen
                await transaction.execute("INSERT INTO boxes VALUES (:n)", seen)

    async with anyio.create_task_group() as group:
        for store in stores:
            group.start_soon(work, store)
    rows = await stores[0].fetch_all("SELECT number FROM boxes ORDER BY number")
    assert [row["number"] for row in rows] == list(range(40))
    for store in stores:
        await store.aclose()


async def test_an_engine_of_the_caller_is_used_as_it_is(tmp_path: Path) -> None:
    from sqlalchemy import StaticPool, create_engine

    engine = create_engine(f"sqlite:///{tmp_path}/kb.db")
    store = SQLStore("sqlite://", engine=engine)
    await store.execute("CREATE TABLE boxes (number INTEGER)")
    assert (tmp_path / "kb.db").exists()
    await store.aclose()
    with pytest.raises(ValueError, match=r"poolclass=sqlalchemy\.StaticPool"):
        SQLStore("sqlite://", engine=create_engine("sqlite://"))
    shared = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    assert SQLStore("sqlite://", engine=shared).dialect == "sqlite"


@pytest.mark.parametrize("url", ["nope", " sqlite://", "", "mongodb://host/db", "sqlite:/"])
def test_what_is_no_database_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="url"):
        SQLStore(url)


async def test_a_database_that_cannot_be_reached_is_told_without_its_password(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no database, only text " * 50)
    for url, said in (
        ("postgresql://ada:s3cret@127.0.0.1:1/kb", r"ada:\*\*\*@127.0.0.1:1/kb: .*[Cc]onnection refused"),
        (f"sqlite:///{tmp_path}/file", "file is not a database"),
        (f"sqlite:///{tmp_path}", "unable to open database file"),
    ):
        store = SQLStore(url)
        with pytest.raises(SQLStoreError, match=said) as caught:
            await store.fetch_all("SELECT 1")
        assert "s3cret" not in f"{caught.value} {caught.value.__cause__} {store!r}"
        await store.aclose()


def test_passwords_are_in_no_repr() -> None:
    for url in (
        "postgresql://ada:s3cret@host/kb",
        "postgres://ada:s3c%40cret@host",
        "postgresql://host/kb?password=s3cret",
    ):
        shown = f"{SQLStoreConfig(url)!r} {SQLStore(url)!r}"
        assert "s3c" not in shown
        assert "***" in shown
        assert "host" in shown
    assert repr(SQLStoreConfig("sqlite:///a/b.db")).startswith("SQLStoreConfig(url='sqlite:///a/b.db'")


@pytest.mark.parametrize(("url", "dialect"), [("sqlite://", "sqlite"), ("postgres://h/d", "postgresql")])
def test_the_dialect_is_known_without_a_connection(url: str, dialect: str) -> None:
    assert SQLStore(url).dialect == dialect


def test_without_psycopg_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for url in ("postgresql://host/kb", "postgres://host/kb", "postgresql+psycopg://host/kb"):
        with pytest.raises(SQLStoreError, match=re.escape('pip install "heams[postgres]"')):
            SQLStore(url)


async def test_a_killed_server_is_found_again_with_all_that_was_committed(postgres: str, postgres_server: Any) -> None:
    store = SQLStore(postgres)
    await store.execute("CREATE TABLE boxes (number INTEGER)")
    await store.execute_many("INSERT INTO boxes VALUES (:n)", [{"n": 1}, {"n": 2}])

    async def killed() -> None:
        async with store.transaction() as transaction:
            await transaction.execute("INSERT INTO boxes VALUES (3)")
            postgres_server.kill()
            await transaction.execute("INSERT INTO boxes VALUES (4)")

    with pytest.raises(Exception, match=r"(?i)server|connection"):
        await killed()
    with pytest.raises(SQLStoreError, match="refused"):
        await store.fetch_all("SELECT * FROM boxes")
    postgres_server.start()
    assert [row["number"] for row in await store.fetch_all("SELECT number FROM boxes ORDER BY number")] == [1, 2]
    await store.aclose()
