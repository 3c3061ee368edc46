"""Where the lines of a file begin, so that one of them is read without the others."""

from collections.abc import Collection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_AT_ONCE = 4 * 1024 * 1024
_NEWLINE = ord("\n")


class LineOffsets:
    """The whole lines of a file, numbered from 0; those whose numbers (from 1) are ``damaged`` are not counted."""

    def __init__(self, path: Path, damaged: Collection[int] = ()) -> None:
        self._path = path
        ends = _ends(path)
        starts = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1]]) if len(ends) else ends
        kept = np.ones(len(ends), dtype=bool)
        kept[[number - 1 for number in damaged if number <= len(ends)]] = False
        self._starts, self._ends = starts[kept], ends[kept]

    def __len__(self) -> int:
        return len(self._starts)

    def line(self, number: int) -> bytes:
        """The bytes of a line, its newline included."""
        start, end = int(self._starts[number]), int(self._ends[number])
        with self._path.open("rb") as file:
            file.seek(start)
            return file.read(end - start)


def _ends(path: Path) -> NDArray[np.int64]:
    """The offset behind each newline."""
    found: list[NDArray[np.int64]] = []
    offset = 0
    with path.open("rb") as file:
        while block := file.read(_AT_ONCE):
            found.append(np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == _NEWLINE) + (offset + 1))
            offset += len(block)
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)
