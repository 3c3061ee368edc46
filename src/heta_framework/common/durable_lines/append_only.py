"""A file that only grows by whole lines."""

import os
from contextlib import suppress
from io import FileIO
from pathlib import Path


class AppendOnlyFile:
    """A file that only grows by whole lines: a write that fails half-way is cut off again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = FileIO(path, "ab")
        self._good = self._file.seek(0, os.SEEK_END)

    def append(self, data: bytes) -> None:
        """Write and force to disk.

        Raises:
            OSError: the write failed; the file is as long as it was before.
        """
        view = memoryview(data)
        try:
            while view:
                view = view[self._file.write(view) or 0 :]
            os.fsync(self._file.fileno())
        except OSError:
            with suppress(OSError):  # what made the write fail is what matters
                os.ftruncate(self._file.fileno(), self._good)
            raise
        self._good += len(data)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
