"""The table of a knowledge base's chunks: what all dialects share."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from string import Template
from typing import Any, ClassVar

from anyio import to_thread

from heta_framework.common.stores.sql.protocol import SQLStoreProtocol
from heta_framework.kb.chunk_tables.rows import FoundRow, chunk_row
from heta_framework.kb.chunks import Chunk

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LONGEST_IDENTIFIER = 57  # PostgreSQL cuts names at 63 bytes without a word; side tables add up to six
_DROP = "DROP TABLE IF EXISTS $table"
_INSERT = "INSERT INTO $table ($columns) VALUES ($values)"
_DELETE = "DELETE FROM $table WHERE chunk_id = :chunk_id"
_COUNT = "SELECT COUNT(*) AS n FROM $table"
FTS_SUFFIX = "_fts"
"""What SQLite's index of words is called after its table."""

LONGEST_QUESTION = 20_000
"""Characters of a question that are looked at."""


class ChunkTable(ABC):
    """Creates, fills and searches one table.

    Everything that comes from a question, a chunk or a filter is a parameter of a statement; only the table's name,
    made of letters, digits and ``_``, and the shape of the statement are text.
    """

    columns: ClassVar[tuple[str, ...]] = (
        "chunk_id",
        "document_id",
        "content_text",
        "source_id",
        "source_chunk",
        "length",
        "metadata_json",
    )

    def __init__(self, store: SQLStoreProtocol, name: str) -> None:
        """Nothing is touched yet.

        Raises:
            ValueError: the name is not one that every database keeps as it is.
        """
        self.store = store
        self.name = checked_table_name(name)

    @property
    @abstractmethod
    def definitions(self) -> tuple[str, ...]:
        """The statements that create it, none of which minds that it exists."""

    @property
    def settling(self) -> tuple[str, ...]:
        """The statements that make searches fast after many writes, such as those that make an index."""
        return ()

    @property
    def purging(self) -> tuple[str, ...]:
        """The statements that take deleted words out of what stands beside the table."""
        return ()

    @abstractmethod
    async def search(self, question: str, top_k: int, filters: Mapping[str, Any]) -> list[FoundRow]:
        """The chunks that share words with the question, best first by BM25, equal scores by chunk id.

        Args:
            filters: metadata that a chunk must carry, compared as JSON values.
        """

    @property
    def tables(self) -> tuple[str, ...]:
        """All tables that belong to it, in the order in which they may be dropped."""
        return (self.name,)

    def row(self, chunk: Chunk) -> dict[str, Any]:
        """The values of ``columns``."""
        return chunk_row(chunk)

    def placeholder(self, column: str) -> str:
        """What stands for a column's value when a row is added."""
        return f":{column}"

    def identifier(self, table: str) -> str:
        """A table's name as it stands in a statement."""
        return f'"{table}"'

    def sql(self, statement: str, **parts: str) -> str:
        """A statement with ``$table`` and the other parts filled in."""
        return Template(statement).substitute(table=self.identifier(self.name), **parts)

    async def create(self) -> None:
        """Make it where it is not there."""
        await self._run(self.definitions)

    async def settle(self) -> None:
        """Make searches fast after a run's writes; they find the same without it."""
        await self._run(self.settling)

    async def drop(self) -> None:
        """Remove it where it is there."""
        await self._run(Template(_DROP).substitute(table=self.identifier(table)) for table in self.tables)

    async def upsert(self, chunks: Sequence[Chunk]) -> None:
        """Add chunks or replace those of the same id."""
        if not chunks:
            return
        values = ", ".join(self.placeholder(column) for column in self.columns)
        insertion = self.sql(_INSERT, columns=", ".join(self.columns), values=values)
        rows = await to_thread.run_sync(lambda: [self.row(chunk) for chunk in chunks])
        async with self.store.transaction() as transaction:
            await transaction.execute(self.sql(_DELETE), [{"chunk_id": chunk.chunk_id} for chunk in chunks])
            await transaction.execute(insertion, rows)

    async def delete(self, chunk_ids: Iterable[str]) -> None:
        """Remove chunks; unknown ids are passed over."""
        rows = [{"chunk_id": chunk_id} for chunk_id in sorted(chunk_ids)]
        if rows:
            await self.store.execute(self.sql(_DELETE), rows)
            await self._run(self.purging)

    async def count(self) -> int:
        """How many chunks it holds."""
        row = await self.store.fetch_one(self.sql(_COUNT))
        return int(row["n"]) if row else 0

    async def exists(self) -> bool:
        """Whether it is there."""
        try:
            await self.count()
        except Exception:  # noqa: BLE001 - every database has its own error for a table that is not there
            return False
        return True

    async def _run(self, statements: Iterable[str]) -> None:
        async with self.store.transaction() as transaction:
            for statement in statements:
                await transaction.execute(statement)


def checked_table_name(name: str) -> str:
    """The name, when every database keeps it as it is.

    Raises:
        ValueError: it is not made of ASCII letters, digits and ``_`` alone, or it is too long.
    """
    if not _IDENTIFIER.fullmatch(name):
        raise ValueError(f"a table name is made of ASCII letters, digits and _, not beginning with a digit: {name!r}")
    if len(name) > _LONGEST_IDENTIFIER:
        raise ValueError(f"table name {name!r} has {len(name)} characters; at most {_LONGEST_IDENTIFIER} fit")
    return name
