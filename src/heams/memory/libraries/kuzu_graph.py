"""An embedded kuzu database as graphiti's driver."""

import shutil
import warnings
from pathlib import Path
from typing import Any

from heams.memory.libraries.graphiti_library import load_graphiti

_FILE = "graph.kuzu"
_BUFFER_BYTES = 256 * 1024 * 1024
_MOST_BYTES = 16 * 1024 * 1024 * 1024
"""kuzu reserves this much address space per database: by default 8 TB, of which a process has room for few."""


class KuzuGraph:
    """One database file in ``folder``, opened or created. ``driver`` is graphiti's. Not to be opened twice."""

    def __init__(self, folder: Path) -> None:
        library = load_graphiti()
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / _FILE
        new = not self._path.exists()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # the driver says that kuzu is no longer developed
            self.driver: Any = library.kuzu_driver.KuzuDriver()
        self._drop_default()
        self.driver.db = library.kuzu.Database(str(self._path), buffer_pool_size=_BUFFER_BYTES, max_db_size=_MOST_BYTES)
        self.driver.setup_schema()
        self.driver.client = library.kuzu.AsyncConnection(self.driver.db, max_concurrent_queries=1)
        self.driver._database = ""  # graphiti compares group ids with it, and this driver does not set it
        if new:
            self._index_texts(library)

    def save(self, folder: Path) -> None:
        """Copy the database into a new folder."""
        self._execute("CHECKPOINT")
        folder.mkdir(parents=True)
        shutil.copy(self._path, folder / _FILE)

    def close(self) -> None:
        """Close the connection and the database."""
        self.driver.client.close()
        self.driver.db.close()

    def _index_texts(self, library: Any) -> None:
        """``build_indices_and_constraints`` leaves kuzu without the full-text indices that searching needs."""
        for statement in library.queries.get_fulltext_indices(self.driver.provider):
            self._execute(statement)

    def _execute(self, statement: str) -> None:
        connection = load_graphiti().kuzu.Connection(self.driver.db)
        connection.execute(statement)
        connection.close()

    def _drop_default(self) -> None:
        """The driver opens a database in memory with defaults that leave no room for others."""
        self.driver.client.close()
        self.driver.db.close()
