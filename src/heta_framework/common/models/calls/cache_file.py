"""The database file of the cache: created, recognised, and set aside when it is damaged."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from filelock import FileLock

from heta_framework.common.models.calls.notices import Say

CACHE_FILE: Final = "model_calls.sqlite"
_APPLICATION_ID: Final = 0x48_4D_43_41
_VERSION: Final = 1
_BUSY_S: Final = 20.0
_DAMAGED: Final = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_TABLES: Final = """
CREATE TABLE replies (
    key BLOB PRIMARY KEY,
    kind TEXT NOT NULL,
    model TEXT NOT NULL,
    body BLOB NOT NULL,
    input_tokens INTEGER,
    output_tokens INTEGER,
    created REAL NOT NULL,
    used REAL NOT NULL,
    hits INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX replies_by_model ON replies (model);
"""


class CacheError(Exception):
    """The model cache cannot be used as it is; the message says what to do."""


def error_code(error: sqlite3.Error) -> int:
    """The primary result code of SQLite, 0 where there is none."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the error says that the file is no database, or a broken one."""
    return error_code(error) in _DAMAGED


def prepare(directory: Path, say: Say) -> Path:
    """Make sure that ``directory`` holds a usable database. A damaged one is set aside, which ``say`` is told.

    Raises:
        CacheError: the directory is a file, or the database belongs to something else.
        OSError, sqlite3.Error: it cannot be created or written.
    """
    if directory.exists() and not directory.is_dir():
        raise CacheError(f"{directory}: the model cache needs a folder, and this is a file")
    directory.mkdir(parents=True, exist_ok=True)
    file = directory / CACHE_FILE
    with FileLock(directory / f".{CACHE_FILE}.lock", timeout=_BUSY_S):
        try:
            _create_or_check(file)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            aside = _set_aside(file)
            say(f"{file} is damaged ({error}). It was set aside as {aside.name}, and a new model cache begins")
            _create_or_check(file)
    return file


def existing(directory: Path) -> Path:
    """The database in ``directory``, as it is.

    Raises:
        CacheError: there is none, or it cannot be read.
    """
    file = directory / CACHE_FILE
    if not file.is_file():
        raise CacheError(f"there is no model cache in {directory} (no file {CACHE_FILE})")
    try:
        _create_or_check(file)
    except sqlite3.Error as error:
        hint = "; delete the file, or move it away, to begin a new cache" if is_damage(error) else ""
        raise CacheError(f"{file} cannot be read: {error}{hint}") from error
    return file


def connect(file: Path) -> sqlite3.Connection:
    """A connection in autocommit mode that waits for other processes; for one thread at a time."""
    connection = sqlite3.connect(file, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _create_or_check(file: Path) -> None:
    with closing(connect(file)) as connection:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if (application, version, tables) == (0, 0, 0):
            _create(connection)
        elif application != _APPLICATION_ID:
            raise CacheError(f"{file} is a database of something else; name another folder for the model cache")
        elif version != _VERSION:
            raise CacheError(
                f"{file} has format {version}, and this version of heams reads format {_VERSION}; "
                f"name another folder for the model cache, or use the version of heams that wrote it"
            )


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(
        f"BEGIN IMMEDIATE; {_TABLES}"
        f"PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {_VERSION}; COMMIT;"
    )


def _set_aside(file: Path) -> Path:
    number = 1
    while (aside := file.with_name(f"{file.name}.damaged-{number}")).exists():
        number += 1
    file.rename(aside)
    for suffix in ("-wal", "-shm"):
        beside = file.with_name(file.name + suffix)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + suffix))
    return aside
