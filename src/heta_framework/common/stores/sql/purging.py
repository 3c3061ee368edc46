"""Takes deleted rows out of a database's files: databases mark them as gone and keep their bytes. Everything blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heta_framework.common.stores.sql.errors import SQLStoreError

if TYPE_CHECKING:
    from sqlalchemy import Connection

_LOCK_TIMEOUT = "30s"


def purge(connection: Connection, tables: Sequence[str]) -> None:
    """Rewrite what still holds deleted rows of these tables; a database of another kind is left alone.

    Raises:
        SQLStoreError: a reader keeps SQLite's write-ahead log in use.
    """
    if connection.dialect.name == "sqlite":
        _purge_sqlite(connection)
    elif connection.dialect.name == "postgresql":
        _purge_postgresql(connection, tables)


def _purge_sqlite(connection: Connection) -> None:
    """Write the file anew and empty the log, which holds pages as they were.

    ``secure_delete`` alone is not enough: where a page was split, the room between its cells keeps copies of rows.
    """
    driver = connection.connection.driver_connection
    if driver is None:
        return
    driver.execute("VACUUM")
    (busy, *_) = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise SQLStoreError("a reader keeps the write-ahead log in use; it still holds rows that were deleted")


def _purge_postgresql(connection: Connection, tables: Sequence[str]) -> None:
    """Write the tables and their indexes anew: a plain VACUUM frees the room of dead rows and leaves their bytes."""
    alone = connection.execution_options(isolation_level="AUTOCOMMIT")
    quote = alone.dialect.identifier_preparer.quote_identifier
    alone.exec_driver_sql(f"SET lock_timeout = '{_LOCK_TIMEOUT}'")
    try:
        for table in tables:
            if alone.exec_driver_sql("SELECT to_regclass(%s)", (quote(table),)).scalar() is not None:
                alone.exec_driver_sql(f"VACUUM (FULL, ANALYZE) {quote(table)}")
    finally:
        alone.exec_driver_sql("RESET lock_timeout")
