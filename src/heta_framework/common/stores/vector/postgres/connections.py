"""Connections to PostgreSQL that outlive a restart of the server, and errors that never show the password."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote, urlsplit

from heta_framework.common.stores.sql.config import masked
from heta_framework.common.stores.vector.errors import VectorStoreError

if TYPE_CHECKING:
    from psycopg import AsyncConnection
    from psycopg_pool import AsyncConnectionPool

_T = TypeVar("_T")
_ATTEMPTS = 2
_WAIT_S = 0.1

# both log every broken connection as a warning, which Python prints where no logging is set up
logging.getLogger("stamina").addHandler(logging.NullHandler())
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())


class Connections:
    """A pool that opens at its first use, for the event loop that uses it."""

    def __init__(self, url: str, *, settings: Mapping[str, str], most: int, patience: float) -> None:
        """Nothing is connected yet.

        Args:
            url: ``postgresql://user:password@host/database``; SQLAlchemy's ``postgresql+psycopg://`` is taken as well.
            settings: of every connection, such as ``hnsw.ef_search``.
            most: connections at a time.
            patience: seconds to wait for a connection.
        """
        if not url.strip():
            raise ValueError("url must not be empty")
        self._url = url.replace("postgresql+psycopg://", "postgresql://", 1)
        self._settings = settings
        self._most = most
        self._patience = patience
        self._pool: AsyncConnectionPool[AsyncConnection[Any]] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def place(self) -> str:
        """The URL without its password."""
        return masked(self._url)

    async def run(self, work: Callable[[AsyncConnection[Any]], Awaitable[_T]]) -> _T:
        """Do idempotent work on a connection (in autocommit), and once more where the connection broke.

        Raises:
            VectorStoreError: the server is out of reach or refuses; the message names its place.
        """
        stamina, psycopg = _drivers()
        try:
            caller = stamina.AsyncRetryingCaller(attempts=_ATTEMPTS, timeout=None, wait_initial=_WAIT_S)
            return await caller(_is_a_broken_connection, self._once, work)  # type: ignore[no-any-return]
        except psycopg.Error as error:
            reason = self._without_secrets(str(error))
        # outside of the handler: the cause could show the password
        raise VectorStoreError(f"PostgreSQL at {self.place}: {reason}")

    async def close(self) -> None:
        """Close the pool; the next use opens another."""
        pool, self._pool = self._pool, None
        if pool is not None and self._loop is asyncio.get_running_loop():
            await pool.close()

    async def _once(self, work: Callable[[AsyncConnection[Any]], Awaitable[_T]]) -> _T:
        pool = self._pool_of(asyncio.get_running_loop())
        await pool.open()
        async with pool.connection() as connection:
            return await work(connection)

    def _pool_of(self, loop: asyncio.AbstractEventLoop) -> AsyncConnectionPool[AsyncConnection[Any]]:
        from psycopg_pool import AsyncConnectionPool

        if self._pool is None or self._loop is not loop:
            self._loop = loop
            self._pool = AsyncConnectionPool(
                self._url,
                min_size=0,
                max_size=self._most,
                open=False,
                timeout=self._patience,
                kwargs={"autocommit": True},
                configure=self._configure,
                check=AsyncConnectionPool.check_connection,
            )
        return self._pool

    async def _configure(self, connection: AsyncConnection[Any]) -> None:
        for name, value in self._settings.items():
            await connection.execute("SELECT set_config(%s, %s, false)", (name, value))

    def _without_secrets(self, message: str) -> str:
        try:
            password = urlsplit(self._url).password or ""
        except ValueError:  # no URL
            password = ""
        for secret in filter(None, (self._url, password, unquote(password))):
            message = message.replace(secret, "***")
        return masked(" ".join(message.split()))


def _is_a_broken_connection(error: Exception) -> bool:
    from psycopg import OperationalError
    from psycopg_pool import PoolTimeout

    return isinstance(error, OperationalError) and not isinstance(error, PoolTimeout)


def _drivers() -> tuple[Any, Any]:
    import stamina

    try:
        import psycopg
        import psycopg_pool  # noqa: F401
    except ImportError as error:
        raise VectorStoreError(
            f'PostgreSQL needs psycopg 3 and its pool ({error}); install them with: pip install "heams[postgres]"'
        ) from None
    return stamina, psycopg
