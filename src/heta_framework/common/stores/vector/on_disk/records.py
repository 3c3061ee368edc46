"""What is true of a collection on disk, in SQLite: how many rows are committed, which record stands in which row.

A row number is given once and never again in its generation; compaction starts the next one. A record that goes leaves
a tombstone, so that readers who know the rows up to some tombstone can learn what came after it.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from heta_framework.common.stores.vector.errors import DamagedCollectionError, VectorStoreError
from heta_framework.common.stores.vector.on_disk.statements import (
    COMPACTION,
    SCHEMA,
    add_records,
    remove_ids,
)
from heta_framework.common.stores.vector.types import Metric, checked_metric

_WAIT_S = 30.0


class Space(NamedTuple):
    """What vectors a collection holds."""

    dimension: int
    metric: Metric


class Head(NamedTuple):
    """A committed state: rows [0, rows) of a generation are written, `tombstones` of them are dead."""

    generation: int
    rows: int
    tombstones: int
    longest: float


class Entry(NamedTuple):
    """A record as it is stored: metadata as JSON, text as UTF-8 (lone surrogates kept)."""

    id: str
    metadata: str
    text: bytes | None


class Records:
    """The SQLite file of one collection; any thread may read, writers take turns (the caller sees to it)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._idle: list[sqlite3.Connection] = []
        self._pooling = threading.Lock()
        self._closed = False

    @classmethod
    def create(cls, path: Path, space: Space) -> None:
        """Make the file of an empty collection."""
        path.touch()
        records = cls(path)
        with records.connection() as connection:
            connection.executescript(f"PRAGMA journal_mode = WAL; {SCHEMA}")
            connection.execute("INSERT INTO head VALUES (?, ?, 0, 0, 0, 0.0)", space)
        records.close()

    def space(self) -> Space:
        """Dimension and metric."""
        with self.connection() as connection:
            dimension, metric = connection.execute("SELECT dimension, metric FROM head").fetchone()
        return Space(dimension, checked_metric(metric))

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """One committed state to read from, whatever is written meanwhile."""
        with self.connection() as connection:
            connection.execute("BEGIN")
            yield Snapshot(connection)
            connection.execute("COMMIT")

    def replace(self, first_row: int, entries: Sequence[Entry], longest: float) -> None:
        """Commit entries for the rows from `first_row` on; older records of the same ids go."""
        with self._transaction() as connection:
            remove_ids(connection, [entry.id for entry in entries])
            add_records(connection, first_row, entries)
            connection.execute("UPDATE head SET rows = ?, longest = ?", (first_row + len(entries), longest))

    def remove(self, ids: Sequence[str]) -> None:
        """Commit that records are gone; unknown ids are passed over."""
        with self._transaction() as connection:
            remove_ids(connection, ids)

    def note_erased(self, tombstones: int) -> None:
        """Commit that the rows of the first `tombstones` are overwritten, and empty the log, where their records stand.

        A reader that keeps the log in use leaves that to the next time.
        """
        with self.connection() as connection:
            connection.execute(f"PRAGMA user_version = {int(tombstones)}")
            connection.execute("PRAGMA busy_timeout = 0")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute(f"PRAGMA busy_timeout = {int(_WAIT_S * 1000)}")

    def purge(self) -> None:
        """Write the file anew: where a page was split, the room between its cells keeps copies of deleted records."""
        with self.connection() as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def compact(self) -> None:
        """Commit the next generation: the living rows, numbered anew in their order."""
        with self._transaction() as connection:
            for statement in COMPACTION:
                connection.execute(statement)

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A connection of one's own for as long as the block lasts."""
        try:
            connection = self._take()
            try:
                yield connection
            finally:
                self._give_back(connection)
        except sqlite3.DatabaseError as error:
            if _is_damage(error):
                raise DamagedCollectionError(
                    f"{self._path}: is damaged ({error}); drop the collection and build it again"
                ) from error
            raise VectorStoreError(f"{self._path}: cannot be read or written ({error})") from error

    def close(self) -> None:
        """Close the connections that are not in use, the others when they come back."""
        with self._pooling:
            self._closed = True
            for connection in self._idle:
                connection.close()
            self._idle.clear()

    def _take(self) -> sqlite3.Connection:
        with self._pooling:
            if self._idle:
                return self._idle.pop()
        place = f"{self._path.absolute().as_uri()}?mode=rw"  # a file that is gone is not made anew
        connection = sqlite3.connect(place, uri=True, timeout=_WAIT_S, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        return connection

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._pooling:
            if self._closed or connection.in_transaction:
                connection.close()
            else:
                self._idle.append(connection)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self.connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")


class Snapshot:
    """One committed state."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @cached_property
    def head(self) -> Head:
        """Which state it is."""
        row = self._connection.execute("SELECT generation, rows, tombstones, longest FROM head").fetchone()
        return Head(*row)

    def dead_rows(self, after: int) -> list[int]:
        """The rows of the tombstones behind the first `after`."""
        return self._numbers("SELECT row FROM tombstones WHERE number > ?", (after,))

    def erased(self) -> int:
        """Of how many tombstones, the first ones, the rows are overwritten."""
        (tombstones,) = self._connection.execute("PRAGMA user_version").fetchone()
        return int(tombstones)

    def living_rows(self) -> list[int]:
        """The rows of all records, ascending."""
        return self._numbers("SELECT row FROM records ORDER BY row", ())

    def ids(self, rows: Iterable[int]) -> dict[int, str]:
        """The ids of those of the rows that hold a record."""
        listed = _listed(rows)
        return dict(self._connection.execute(f"SELECT row, id FROM records WHERE row IN ({listed})"))  # noqa: S608

    def entries(self, rows: Iterable[int]) -> dict[int, Entry]:
        """The records in those of the rows that hold one."""
        listed = _listed(rows)
        tables = "records LEFT JOIN texts USING (row)"
        found = self._connection.execute(
            f"SELECT row, id, metadata, text FROM {tables} WHERE row IN ({listed})"  # noqa: S608
        )
        return {row: Entry(*entry) for row, *entry in found}

    def metadata_holding(self, needles: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Rows and metadata of the records whose metadata, as it is written, holds all `needles`."""
        where = " AND ".join(["instr(metadata, ?) > 0"] * len(needles)) or "TRUE"
        yield from self._connection.execute(f"SELECT row, metadata FROM records WHERE {where}", needles)  # noqa: S608

    def _numbers(self, statement: str, values: tuple[int, ...]) -> list[int]:
        return [row for (row,) in self._connection.execute(statement, values)]


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the file is at fault: no database, a broken one, or one without our tables or with text that is none."""
    name = getattr(error, "sqlite_errorname", "SQLITE_ERROR")  # the module's own errors have no name
    return name == "SQLITE_ERROR" or name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))


def _listed(rows: Iterable[int]) -> str:
    return ",".join(str(int(row)) for row in rows)
