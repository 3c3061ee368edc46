"""Items in a temporary file, each at hand by its position, so that a long benchmark does not fill the memory."""

from __future__ import annotations

import os
import pickle
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar, overload

_Item = TypeVar("_Item")
_NOT_PICKLED = (pickle.PicklingError, AttributeError, TypeError, ValueError, RecursionError)
_BUFFER = 1 << 20
_BLOCK = 64
_BLOCKS_AT_HAND = 8


class Spool(Sequence[_Item], Generic[_Item]):
    """A sequence that is appended to, then read. The file has no name, so nothing is left of it behind a killed run.

    Items lie in it in blocks of 64, pickled together. A block with an item that cannot be pickled, such as one with a
    lambda in it, stays in memory instead.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._file = tempfile.TemporaryFile(dir=folder, buffering=_BUFFER)  # noqa: SIM115 - closed by `close`
        self._folder = folder
        self._ends = array("Q", [0])
        self._last: list[_Item] = []
        self._kept: dict[int, list[_Item]] = {}
        self._at_hand: dict[int, list[_Item]] = {}

    def append(self, item: _Item) -> None:
        """Add an item at the end."""
        self._last.append(item)
        if len(self._last) == _BLOCK:
            self._write_last()

    def close(self) -> None:
        """Give the file back to the system."""
        self._file.close()
        self._kept.clear()
        self._at_hand.clear()

    def __len__(self) -> int:
        return _BLOCK * (len(self._ends) - 1) + len(self._last)

    @overload
    def __getitem__(self, index: int) -> _Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[_Item]: ...
    def __getitem__(self, index: int | slice) -> _Item | Sequence[_Item]:
        """One item, read from the file, or a list of them."""
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        block, place = divmod(range(len(self))[index], _BLOCK)
        return self._block(block)[place]

    def _block(self, block: int) -> list[_Item]:
        if block == len(self._ends) - 1:
            return self._last
        found = self._kept.get(block) or self._at_hand.get(block)
        if found is None:
            found = self._at_hand[block] = self._read(block)
            if len(self._at_hand) > _BLOCKS_AT_HAND:
                del self._at_hand[next(iter(self._at_hand))]
        return found

    @contextmanager
    def _naming_the_folder(self) -> Iterator[None]:
        """The file has no name that an error could tell."""
        try:
            yield
        except OSError as cause:
            place = self._folder or tempfile.gettempdir()
            raise OSError(cause.errno, f"{cause.strerror}: the cases cannot be kept", str(place)) from cause

    def _write_last(self) -> None:
        try:
            data = pickle.dumps(self._last, protocol=5)
        except _NOT_PICKLED:
            self._kept[len(self._ends) - 1] = self._last
            data = b""
        with self._naming_the_folder():
            self._file.write(data)
        self._ends.append(self._ends[-1] + len(data))
        self._last = []

    def _read(self, block: int) -> list[_Item]:
        with self._naming_the_folder():
            self._file.flush()
        start, end = self._ends[block], self._ends[block + 1]
        data = os.pread(self._file.fileno(), end - start, start)
        items: list[_Item] = pickle.loads(data)  # noqa: S301 - written by this object into a file that nobody else can open
        return items
