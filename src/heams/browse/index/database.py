"""One connection to the tables of all experiments, each in a database file of its own.

Files that were written are only read: nothing here locks anything, and what is held in memory stays small.
"""

import shutil
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import duckdb

_MEMORY = "100MB"
"""What DuckDB may hold of the tables: the rest is read from disk, or spilled to it."""


class Database:
    """A temporary folder of database files, deleted when closed."""

    def __init__(self) -> None:
        import duckdb

        self._folder = Path(tempfile.mkdtemp(prefix="heams-browse-"))
        spilled = str(self._folder / "spilled")
        self._connection = duckdb.connect(config={"memory_limit": _MEMORY, "temp_directory": spilled, "threads": 2})
        self._lock = Lock()
        self._files = 0
        self._readers: Counter[Path] = Counter()
        self._dropped: set[Path] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def new_file(self) -> Path:
        """Where the next experiment's tables are to be written."""
        with self._lock:
            self._files += 1
            return self._folder / f"experiment_{self._files}.duckdb"

    def attach(self, file: Path) -> None:
        """Make a file that was written readable."""
        with self._connection.cursor() as cursor:
            cursor.execute(f"ATTACH '{file}' AS {file.stem} (READ_ONLY)")

    def connect(self, file: Path) -> "duckdb.DuckDBPyConnection":
        """A connection of one thread to the tables of an attached file, which is kept until it is released."""
        cursor = self._connection.cursor()
        cursor.execute(f"USE {file.stem}")
        with self._lock:
            self._readers[file] += 1
        return cursor

    def release(self, file: Path) -> None:
        """Say that a connection to a file was closed."""
        with self._lock:
            self._readers[file] -= 1
            due = file in self._dropped and not self._readers[file]
            self._dropped -= {file} if due else set()
        if due:
            self._delete(file)

    def drop(self, file: Path) -> None:
        """Forget a file as soon as nobody reads it."""
        with self._lock:
            read = self._readers[file] > 0
            self._dropped |= {file} if read else set()
        if not read:
            self._delete(file)

    def _delete(self, file: Path) -> None:
        del self._readers[file]
        with self._connection.cursor() as cursor:
            cursor.execute(f"DETACH DATABASE IF EXISTS {file.stem}")
        file.unlink(missing_ok=True)

    def close(self) -> None:
        """Delete all files."""
        import duckdb

        with suppress(duckdb.Error):  # a thread is in the middle of a question: it ends with the process
            self._connection.close()
        shutil.rmtree(self._folder, ignore_errors=True)
