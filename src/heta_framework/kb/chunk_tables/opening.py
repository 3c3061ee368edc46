"""Which dialect a store speaks, and the table in that dialect."""

from __future__ import annotations

from typing import Literal, get_args

from heta_framework.common.config import nearest
from heta_framework.common.stores.sql.protocol import SQLStoreProtocol
from heta_framework.kb.chunk_tables.table import FTS_SUFFIX, ChunkTable

SQLDialect = Literal["generic", "postgresql"]


def open_chunk_table(store: SQLStoreProtocol, name: str, declared: SQLDialect = "generic") -> ChunkTable:
    """The table of that name; nothing is read or written.

    Args:
        declared: what to take a store for that does not say by a property ``dialect``.

    Raises:
        ValueError: the name is not one that every database keeps as it is.
    """
    match dialect_of(store, declared):
        case "sqlite":
            from heta_framework.kb.chunk_tables.sqlite import SqliteChunkTable

            return SqliteChunkTable(store, name)
        case "postgresql":
            from heta_framework.kb.chunk_tables.postgresql import PostgresChunkTable

            return PostgresChunkTable(store, name)
        case _:
            from heta_framework.kb.chunk_tables.generic import GenericChunkTable

            return GenericChunkTable(store, name)


def possible_tables(name: str) -> tuple[str, ...]:
    """All tables that a table of that name may have beside it, in any dialect, and itself, which goes last."""
    return (f"{name}{FTS_SUFFIX}", name)


def dialect_of(store: SQLStoreProtocol, declared: SQLDialect = "generic") -> str:
    """``sqlite``, ``postgresql`` or another database's name; ``declared`` where the store does not say."""
    said = getattr(store, "dialect", None)
    return said if isinstance(said, str) and said else declared


def checked_dialect(dialect: str) -> SQLDialect:
    """The dialect, when it is one that can be declared.

    Raises:
        ValueError: it is not; the message names the nearest.
    """
    for known in get_args(SQLDialect):
        if dialect == known:
            return known  # type: ignore[no-any-return]
    near = nearest(dialect, get_args(SQLDialect))
    hint = f"; did you mean {near}?" if near else ""
    raise ValueError(f"dialect must be one of: {', '.join(get_args(SQLDialect))}; found {dialect!r}{hint}")
