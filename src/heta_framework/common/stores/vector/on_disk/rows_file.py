"""Vectors in one flat file of float32 rows: written behind the last row, read through a memory map or row by row.

The file knows nothing of commits. Whoever holds the count of committed rows writes from there on; what lies behind is
room for later rows, or what a killed write left.
"""

from __future__ import annotations

import mmap
import os
import threading
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import Self

import numpy as np

from heta_framework.common.stores.vector.checks import Rows
from heta_framework.common.stores.vector.errors import VectorStoreError

_SMALLEST_ROOM = 256  # rows
_GROWTH = 1.25  # grown in steps, so that a map is made anew a few dozen times on the way to a million rows


class RowsFile:
    """Rows of `dimension` components. Any thread may read; writers take turns (the caller sees to it)."""

    def __init__(self, path: Path, dimension: int) -> None:
        """Open the file.

        Raises:
            FileNotFoundError: it is not there.
        """
        self.path = path
        self._row_bytes = 4 * dimension
        self._dimension = dimension
        self._handle = os.open(path, os.O_RDWR)
        self.close = weakref.finalize(self, os.close, self._handle)  # views that were given away stay valid
        self._mapping = threading.Lock()
        self._mapped = np.empty((0, dimension), dtype=np.float32)

    @classmethod
    def make(cls, path: Path, dimension: int) -> Self:
        """Open the file, made where it is not there."""
        path.touch()
        return cls(path, dimension)

    def __len__(self) -> int:
        """Rows that the file has room for."""
        return os.fstat(self._handle).st_size // self._row_bytes

    def write(self, first: int, rows: Rows) -> None:
        """Write rows from number `first` on; they are on disk when this returns.

        Raises:
            VectorStoreError: the disk is full, or refuses them otherwise.
        """
        content = np.ascontiguousarray(rows, dtype="<f4").data.cast("B")
        at = first * self._row_bytes
        try:
            self._make_room(first + len(rows))
            while content:
                written = os.pwrite(self._handle, content, at)
                content, at = content[written:], at + written
            os.fsync(self._handle)
        except OSError as error:
            raise VectorStoreError(f"{self.path}: vectors cannot be written ({error.strerror})") from error

    def mapped(self, count: int) -> Rows:
        """The first `count` rows as a read-only view of the file; later writes behind them do not touch it."""
        with self._mapping:
            if count > len(self._mapped):
                self._mapped = self._map()
            return self._mapped[:count]

    def read(self, first: int, count: int) -> Rows:
        """A copy of some rows that follow each other, made without mapping them."""
        rows = np.empty((count, self._dimension), dtype="<f4")
        os.preadv(self._handle, [rows.data.cast("B")], first * self._row_bytes)
        return rows

    def gathered(self, numbers: Iterable[int]) -> Rows:
        """Copies of single rows, read one by one: a map would bring whole neighbourhoods into memory."""
        size = self._row_bytes
        content = b"".join([os.pread(self._handle, size, number * size) for number in numbers])
        return np.frombuffer(content, dtype="<f4").reshape(-1, self._dimension)

    def erase(self, numbers: Iterable[int]) -> None:
        """Overwrite single rows with zeros; they are on disk when this returns."""
        zeros = bytes(self._row_bytes)
        for number in numbers:
            os.pwrite(self._handle, zeros, number * self._row_bytes)
        os.fsync(self._handle)

    def _make_room(self, rows: int) -> None:
        room = len(self)
        if rows > room:
            os.ftruncate(self._handle, max(rows, _SMALLEST_ROOM, int(_GROWTH * room)) * self._row_bytes)

    def _map(self) -> Rows:
        room = len(self)
        if not room:
            return self._mapped
        content = mmap.mmap(self._handle, room * self._row_bytes, access=mmap.ACCESS_READ)
        return np.frombuffer(content, dtype="<f4").reshape(room, self._dimension)
