"""Where the lines of a file begin, so that one of them is read without the others."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from heams.reporting.errors import ResultsError

_AT_ONCE = 4 * 1024 * 1024
_NEWLINE = ord("\n")
_BLANKS = b" \t\r\n"
_LONGEST_BLANK = 64


class LineOffsets:
    """The whole lines of a file, numbered from 0 as readers of JSON lines number them: without blank ones.

    Those whose numbers (from 1, blank ones counted) are ``damaged`` are not counted either.
    """

    def __init__(self, path: Path, damaged: Collection[int] = ()) -> None:
        self._path = path
        with path.open("rb") as file:
            self._identity = _identity(file)
            ends = _ends(file)
            starts = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1]]) if len(ends) else ends
            kept = ~_blank(file, starts, ends)
        kept[[number - 1 for number in damaged if number <= len(ends)]] = False
        self._starts, self._ends = starts[kept], ends[kept]

    def __len__(self) -> int:
        return len(self._starts)

    def line(self, number: int) -> bytes:
        """The bytes of a line, its newline included.

        Raises:
            ResultsError: there is another file now, or none.
        """
        start, end = int(self._starts[number]), int(self._ends[number])
        try:
            with self._path.open("rb") as file:
                file.seek(start)
                line = file.read(end - start)
                replaced = _identity(file) != self._identity or not line.endswith(b"\n")
        except OSError as cause:
            raise ResultsError(f"{self._path}: cannot be read ({cause.strerror or cause})") from None
        if replaced:
            raise ResultsError(f"{self._path}: the results have changed meanwhile; load this page again")
        return line


def _identity(file: BinaryIO) -> tuple[int, int]:
    """Files grow, and stay the same; what is put in their place is another file."""
    found = os.fstat(file.fileno())
    return found.st_dev, found.st_ino


def _blank(file: BinaryIO, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which lines have nothing in them; only short ones are looked at, because blank lines are."""
    found = np.zeros(len(ends), dtype=bool)
    for number in np.flatnonzero(ends - starts <= _LONGEST_BLANK).tolist():
        file.seek(starts[number])
        found[number] = not file.read(ends[number] - starts[number]).strip(_BLANKS)
    return found


def _ends(file: BinaryIO) -> NDArray[np.int64]:
    """The offset behind each newline."""
    found: list[NDArray[np.int64]] = []
    offset = 0
    while block := file.read(_AT_ONCE):
        found.append(np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == _NEWLINE) + (offset + 1))
        offset += len(block)
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)
