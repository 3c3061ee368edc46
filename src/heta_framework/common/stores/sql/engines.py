"""SQLAlchemy engines as this store wants them: SQLite that serves from any thread, PostgreSQL by psycopg 3."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heta_framework.common.stores.sql.config import SQLStoreConfig, masked, with_driver
from heta_framework.common.stores.sql.errors import SQLStoreError

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

CONNECTIONS = 10
"""How many connections a store uses at a time; an in-memory database has one."""

WRITES = "heta_writes"
"""The execution option of a connection whose transaction will write: SQLite then takes the lock at its beginning."""

_BUSY_MS = 30_000


def open_engine(config: SQLStoreConfig) -> Engine:
    """An engine for the URL; nothing is connected yet."""
    from sqlalchemy import create_engine, make_url
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError

    try:
        url = make_url(with_driver(config.url))
        engine = create_engine(url, echo=config.echo, pool_pre_ping=config.pool_pre_ping, **_pool(url))
    except NoSuchModuleError:
        raise ValueError(
            f"url names no database that is known here, such as sqlite: or postgresql:; got {masked(config.url)!r}"
        ) from None
    except ArgumentError:
        raise ValueError(f"url is no database URL, such as sqlite:///file.db; got {masked(config.url)!r}") from None
    except ImportError as error:
        raise SQLStoreError(_missing_driver(config.url, error)) from None
    if url.get_backend_name() == "sqlite":
        _prepare_sqlite(engine)
    return engine


def one_connection(engine: Engine) -> bool:
    """Whether the engine has a single connection for everybody, as an in-memory SQLite must.

    ValueError for the pool that gives every thread a database in memory of its own.
    """
    from sqlalchemy.pool import SingletonThreadPool, StaticPool

    one_a_thread = isinstance(engine.pool, SingletonThreadPool)
    if one_a_thread:
        raise ValueError(
            "this engine has a connection for every thread, so that threads do not see each other's data; make it with "
            "poolclass=sqlalchemy.StaticPool and connect_args={'check_same_thread': False}"
        )
    return isinstance(engine.pool, StaticPool)


@contextmanager
def connected(engine: Engine, *, writes: bool) -> Iterator[Connection]:
    """A connection, given back at the end; `SQLStoreError` where there is none to be had."""
    from sqlalchemy.exc import DBAPIError

    try:
        connection = engine.connect()
    except DBAPIError as error:
        place = masked(engine.url.render_as_string(hide_password=True))
        reason = " ".join(str(error.orig).split())
        raise SQLStoreError(f"there is no connection to {place}: {reason}") from error
    with connection:
        yield connection.execution_options(**{WRITES: writes})


def _pool(url: URL) -> dict[str, Any]:
    from sqlalchemy.pool import QueuePool, StaticPool

    if url.get_backend_name() != "sqlite":
        return {"pool_size": CONNECTIONS, "max_overflow": CONNECTIONS}
    arguments = {"check_same_thread": False, "timeout": _BUSY_MS / 1000}
    if _in_memory(url):
        return {"poolclass": StaticPool, "connect_args": arguments}
    return {
        "poolclass": QueuePool,
        "pool_size": CONNECTIONS,
        "max_overflow": CONNECTIONS,
        "connect_args": arguments,
    }


def _in_memory(url: URL) -> bool:
    return url.database in (None, "", ":memory:") or url.query.get("mode") == "memory"


def _prepare_sqlite(engine: Engine) -> None:
    from sqlalchemy import event

    in_memory = _in_memory(engine.url)

    @event.listens_for(engine, "do_connect")
    def make_folder(*_: Any) -> None:
        database = engine.url.database
        if not in_memory and database and not database.startswith("file:"):
            Path(database).parent.mkdir(parents=True, exist_ok=True)

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where SQLAlchemy says so, see `begin`
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
        connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten, not only unlinked
        if not in_memory:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _missing_driver(url: str, error: ImportError) -> str:
    if with_driver(url) != url or "psycopg" in str(error):
        return f'PostgreSQL needs psycopg 3 ({error}); install it with: pip install "heams[postgres]"'
    return f"the driver of {masked(url)!r} is not installed: {error}"
