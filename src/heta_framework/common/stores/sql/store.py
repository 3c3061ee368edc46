"""A database behind SQLAlchemy Core: its synchronous engine in worker threads."""

from __future__ import annotations

import weakref
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from heta_framework.common.stores.sql.config import SQLStoreConfig, masked
from heta_framework.common.stores.sql.engines import CONNECTIONS, connected, one_connection, open_engine
from heta_framework.common.stores.sql.pinned import Pinned
from heta_framework.common.stores.sql.purging import purge
from heta_framework.common.stores.sql.statements import (
    all_rows,
    checked_parameters,
    checked_statement,
    first_row,
    may_write,
    touched,
)
from heta_framework.common.stores.sql.threads import to_the_end
from heta_framework.common.stores.sql.transaction import SQLTransaction
from heta_framework.common.stores.sql.turns import Turns
from heta_framework.common.stores.sql.types import SQLParameterRows, SQLResult, SQLRow

if TYPE_CHECKING:
    from sqlalchemy import Engine

_Result = TypeVar("_Result")

# The transactions that the current task, or one that started it, is inside of.
_inside: ContextVar[tuple[Pinned, ...]] = ContextVar("_inside", default=())


class SQLStore:
    """A database: SQLite in memory or in a file, PostgreSQL, or whatever a given `engine` reaches.

    Each call is a transaction of its own, kept when it returns; `transaction` makes one of several. Statements have
    named parameters (``:name``). SQLite files are opened with a write-ahead log: readers do not wait for the writer,
    and writers take turns. What the database says of a statement is SQLAlchemy's error.

    Raises:
        ValueError: the URL is none, or names a database that is not known.
        SQLStoreError: the driver is not installed; at the first use, the database cannot be reached.
    """

    def __init__(
        self, url: str, *, echo: bool = False, pool_pre_ping: bool = True, engine: Engine | None = None
    ) -> None:
        self._config = SQLStoreConfig(url, echo=echo, pool_pre_ping=pool_pre_ping)
        self._engine = open_engine(self._config) if engine is None else engine
        if engine is None:
            weakref.finalize(self, self._engine.dispose)  # for a store that nobody closes
        self._single = one_connection(self._engine)
        self._places = Turns(1 if self._single else CONNECTIONS)
        self._writer = Turns(1) if self.dialect == "sqlite" else None

    def __repr__(self) -> str:
        return f"SQLStore({masked(self._config.url)!r})"

    @property
    def dialect(self) -> str:
        """``sqlite`` or ``postgresql``."""
        name: str = self._engine.dialect.name
        return name

    async def execute(
        self, statement: str, parameters: Mapping[str, Any] | SQLParameterRows | None = None
    ) -> SQLResult:
        """Run a statement; with a list of parameters, once for each of them, in one go and one transaction."""
        return await self._run(touched, statement, parameters)

    async def execute_many(self, statement: str, rows: SQLParameterRows) -> SQLResult:
        """Run a statement once for each row of parameters, all or none; without rows nothing happens."""
        return await self._run(touched, statement, list(rows))

    async def fetch_one(self, statement: str, parameters: Mapping[str, Any] | None = None) -> SQLRow | None:
        """The first row of what the statement returns, None where it returns none."""
        return await self._run(first_row, statement, parameters)

    async def fetch_all(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[SQLRow]:
        """Every row that the statement returns."""
        return await self._run(all_rows, statement, parameters)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[SQLTransaction]:
        """A block whose statements are kept when it ends and undone when it is left by an exception or cancelled.

        In the block use what it yields; with SQLite the store itself would wait for the end of the block, and raises
        RuntimeError instead.
        """
        async with self._turn(writes=True):
            pinned = Pinned(self)
            try:
                connection = await to_the_end(partial(pinned.begin, connected(self._engine, writes=True)))
                _inside.set((*_inside.get(), pinned))
                yield SQLTransaction(connection)
                await to_the_end(pinned.commit)
            finally:
                _inside.set(tuple(other for other in _inside.get() if other is not pinned))
                await to_the_end(pinned.end)

    async def purge_deleted(self, tables: Sequence[str] = ()) -> None:
        """Take rows that were deleted out of the database's files, where their bytes stay for a while otherwise.

        SQLite: deleted bytes are overwritten at once but for copies that lie between rows; this writes the whole file
        anew (``VACUUM``) and empties the write-ahead log. PostgreSQL: the tables are written anew (``VACUUM FULL``),
        which locks them meanwhile; its own log and backups keep what they have.

        Raises:
            SQLStoreError: a reader keeps SQLite's log in use.
        """
        async with self._turn(writes=True):
            await to_the_end(partial(self._purge, tuple(tables)))

    def _purge(self, tables: Sequence[str]) -> None:
        with connected(self._engine, writes=False) as connection:
            purge(connection, tables)

    async def aclose(self) -> None:
        """Close the connections; an in-memory database is gone with its own."""
        await to_the_end(self._engine.dispose)

    async def _run(self, function: Callable[..., _Result], statement: str, parameters: Any) -> _Result:
        writes = may_write(checked_statement(statement))
        work = partial(self._alone, function, statement, checked_parameters(parameters), writes)
        async with self._turn(writes=writes):
            return await to_the_end(work)

    def _alone(self, function: Callable[..., _Result], statement: str, parameters: Any, writes: bool) -> _Result:
        with connected(self._engine, writes=writes) as connection, connection.begin():
            return function(connection, statement, parameters)

    @asynccontextmanager
    async def _turn(self, *, writes: bool) -> AsyncIterator[None]:
        waits_for_writer = self._single or (writes and self._writer is not None)
        if waits_for_writer and any(pinned.belongs_to(self) for pinned in _inside.get()):
            raise RuntimeError(
                f"{self!r} is inside a transaction of this task and would wait for its end; "
                "use what `async with store.transaction() as transaction` yields"
            )
        async with AsyncExitStack() as turns:
            if writes and self._writer is not None:
                await turns.enter_async_context(self._writer.held())
            await turns.enter_async_context(self._places.held())
            yield
