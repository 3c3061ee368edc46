"""The tables of a collection on disk, and how records come and go in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

SCHEMA = """
CREATE TABLE head (dimension INTEGER, metric TEXT, generation INTEGER, rows INTEGER, tombstones INTEGER, longest REAL);
CREATE TABLE records (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, metadata TEXT NOT NULL);
CREATE TABLE texts (row INTEGER PRIMARY KEY, text BLOB NOT NULL);
CREATE TABLE tombstones (number INTEGER PRIMARY KEY, row INTEGER NOT NULL);
"""
# user_version counts the tombstones whose rows are overwritten in the file of vectors

COMPACTION = (
    "CREATE TEMP TABLE moved AS SELECT row AS old, row_number() OVER (ORDER BY row) - 1 AS new FROM records",
    "CREATE INDEX temp.by_old ON moved (old)",
    # by way of negative numbers, so that no two rows ever have the same one
    "UPDATE records SET row = -1 - (SELECT new FROM moved WHERE old = row)",
    "UPDATE records SET row = -1 - row",
    "UPDATE texts SET row = -1 - (SELECT new FROM moved WHERE old = row)",
    "UPDATE texts SET row = -1 - row",
    "UPDATE head SET generation = generation + 1, rows = (SELECT count(*) FROM moved), tombstones = 0",
    "DELETE FROM tombstones",
    "PRAGMA user_version = 0",
    "DROP TABLE moved",
)


_MOST_VALUES = 10_000  # SQLite takes 32,766 in one statement


def remove_ids(connection: sqlite3.Connection, ids: Sequence[str]) -> None:
    """Turn records into tombstones; unknown ids are passed over."""
    rows = [
        row for start in range(0, len(ids), _MOST_VALUES) for row in _rows_of(connection, ids[start:][:_MOST_VALUES])
    ]
    if not rows:
        return
    connection.executemany("INSERT INTO tombstones (row) VALUES (?)", rows)
    connection.executemany("DELETE FROM records WHERE row = ?", rows)
    connection.executemany("DELETE FROM texts WHERE row = ?", rows)
    connection.execute("UPDATE head SET tombstones = tombstones + ?", (len(rows),))


def add_records(
    connection: sqlite3.Connection, first_row: int, entries: Sequence[tuple[str, str, bytes | None]]
) -> None:
    """Add (id, metadata, text) in rows that follow each other."""
    connection.executemany(
        "INSERT INTO records VALUES (?, ?, ?)",
        ((row, record_id, metadata) for row, (record_id, metadata, _) in enumerate(entries, first_row)),
    )
    connection.executemany(
        "INSERT INTO texts VALUES (?, ?)",
        ((row, text) for row, (_, _, text) in enumerate(entries, first_row) if text is not None),
    )


def _rows_of(connection: sqlite3.Connection, ids: Sequence[str]) -> list[tuple[int]]:
    places = ",".join("?" * len(ids))
    return connection.execute(f"SELECT row FROM records WHERE id IN ({places})", ids).fetchall()  # noqa: S608
