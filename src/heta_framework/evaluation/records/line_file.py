"""A file whose lines are read one by one, by where they begin."""

from __future__ import annotations

import weakref
from pathlib import Path
from threading import Lock


class LineFile:
    """May be used from several threads; closes itself when nobody refers to it any more.

    Args:
        buffering: bytes that are read at once: about a line where they are read in any order, more where in the file's.
    """

    def __init__(self, path: Path, *, buffering: int) -> None:
        self._file = path.open("rb", buffering=buffering)
        self._lock = Lock()
        weakref.finalize(self, self._file.close)

    def line_at(self, offset: int) -> bytes:
        """The line that begins at this byte."""
        with self._lock:
            self._file.seek(offset)
            return self._file.readline()
