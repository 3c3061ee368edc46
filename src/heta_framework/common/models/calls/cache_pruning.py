"""Takes replies out of the cache: by model, by age, or the least recently used until the file is small enough."""

import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heta_framework.common.config import nearest
from heta_framework.common.models.calls.cache_file import CacheError, connect, error_code, existing
from heta_framework.common.models.calls.cache_statistics import bytes_on_disk

_BEYOND = """
SELECT rowid FROM (
    SELECT rowid, sum(length(body)) OVER (ORDER BY used DESC, rowid DESC) AS size FROM replies WHERE rowid NOT IN doomed
) WHERE size > ?
"""


@dataclass(frozen=True, slots=True)
class PruneRequest:
    """What to remove.

    ``older_than_s``: replies that were not used for so many seconds; ``model``: only those of this model. Where both
    are None and ``everything`` is not set, they choose nothing. ``max_bytes``: afterwards the least recently used ones,
    until the file is no larger.
    """

    older_than_s: float | None = None
    model: str | None = None
    everything: bool = False
    max_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was removed (or would be): replies, and bytes on disk before and after.

    ``shrunk``: whether the file could be made smaller; it cannot while a run reads from it.
    """

    entries: int
    kept: int
    bytes_before: int
    bytes_after: int
    shrunk: bool = True


def prune_cache(directory: Path, request: PruneRequest, *, dry_run: bool = False) -> Pruned:
    """Remove what ``request`` names; with ``dry_run`` only say how much that is (``bytes_after`` is then estimated).

    Raises:
        CacheError: there is no cache, it cannot be changed, or it holds nothing of the model.
    """
    file = existing(directory)
    try:
        with closing(connect(file)) as connection:
            return _prune(connection, file, request, dry_run=dry_run)
    except sqlite3.Error as error:
        raise CacheError(f"{file} cannot be pruned: {error}") from error


def _prune(connection: sqlite3.Connection, file: Path, request: PruneRequest, *, dry_run: bool) -> Pruned:
    before = bytes_on_disk(file)
    total = _number(connection, "SELECT count(*) FROM replies")
    connection.execute("CREATE TEMP TABLE doomed (id INTEGER PRIMARY KEY)")
    _choose(connection, request)
    if request.max_bytes is not None:
        _choose_beyond(connection, request.max_bytes)
    doomed = _number(connection, "SELECT count(*) FROM doomed")
    if dry_run:
        return Pruned(doomed, total - doomed, before, round(_size_without_doomed(connection)))
    shrunk = _remove(connection)
    while shrunk and request.max_bytes is not None and doomed < total and bytes_on_disk(file) > request.max_bytes:
        _choose_beyond(connection, request.max_bytes)
        _doom_oldest(connection)
        shrunk = _remove(connection)
        doomed = total - _number(connection, "SELECT count(*) FROM replies")
    return Pruned(doomed, total - doomed, before, bytes_on_disk(file), shrunk)


def _choose(connection: sqlite3.Connection, request: PruneRequest) -> None:
    if request.model is not None:
        _check_model(connection, request.model)
    conditions: dict[str, Any] = {}
    if request.model is not None:
        conditions["model = ?"] = request.model
    if request.older_than_s is not None:
        conditions["used < ?"] = time.time() - request.older_than_s
    if conditions or request.everything:
        where = " AND ".join(conditions) or "1"
        connection.execute(f"INSERT INTO doomed SELECT rowid FROM replies WHERE {where}", tuple(conditions.values()))  # noqa: S608 - fixed words


def _check_model(connection: sqlite3.Connection, model: str) -> None:
    known = [name for (name,) in connection.execute("SELECT DISTINCT model FROM replies ORDER BY model")]
    if model not in known:
        near = nearest(model, known)
        hint = f"did you mean {near!r}? " if near else ""
        raise CacheError(f"the cache holds nothing of model {model!r}; {hint}It holds: {', '.join(known) or 'nothing'}")


def _choose_beyond(connection: sqlite3.Connection, max_bytes: int) -> None:
    """The file is larger than its replies: keep as many bytes of them as make a file of the size that is wanted."""
    size = _size_without_doomed(connection)
    if size > max_bytes:
        kept = _number(connection, "SELECT sum(length(body)) FROM replies WHERE rowid NOT IN doomed")
        connection.execute(f"INSERT OR IGNORE INTO doomed {_BEYOND}", (kept * max_bytes / size,))


def _doom_oldest(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT OR IGNORE INTO doomed SELECT rowid FROM replies ORDER BY used, rowid LIMIT 1")


def _remove(connection: sqlite3.Connection) -> bool:
    connection.execute("DELETE FROM replies WHERE rowid IN doomed")
    connection.execute("DELETE FROM doomed")
    try:
        connection.execute("VACUUM")
        (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError as error:
        if error_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL):
            return False
        raise
    return not busy


def _size_without_doomed(connection: sqlite3.Connection) -> float:
    """About how large the file will be without free pages and without what is doomed, in bytes."""
    pages = _number(connection, "PRAGMA page_count") - _number(connection, "PRAGMA freelist_count")
    size = pages * _number(connection, "PRAGMA page_size")
    all_bytes = _number(connection, "SELECT sum(length(body)) FROM replies")
    doomed = _number(connection, "SELECT sum(length(body)) FROM replies WHERE rowid IN doomed")
    return size * (1 - doomed / all_bytes) if all_bytes else size


def _number(connection: sqlite3.Connection, query: str) -> int:
    (found,) = connection.execute(query).fetchone()
    return int(found or 0)
