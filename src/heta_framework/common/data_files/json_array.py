"""A large file that holds one JSON array of objects, read object by object in bounded memory.

A scan looks at brackets and strings alone to find where each object of the array begins and ends; an object is decoded
when it is asked for. The memory needed is that of the largest object and one block of the file.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn

from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.reading import BOM, parse_json

_BLOCK = 1 << 20
_SPACE = re.compile(rb"[ \t\r\n]*+")
_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+([\[\]{}])', re.DOTALL)


class Place(NamedTuple):
    """Where an object stands: its number in the array from 0, its first byte, and its length in bytes."""

    number: int
    offset: int
    length: int

    @property
    def words(self) -> str:
        """The place as errors name it."""
        return f"entry {self.number}"


def places(path: Path, block: int = _BLOCK) -> Iterator[Place]:
    """The places of a file's objects, each as soon as it is found; what is behind the last one asked for is not read.

    Raises:
        DatasetFormatError: the file cannot be read, is cut off, or is not a JSON array of objects.
    """
    try:
        with path.open("rb") as file:
            yield from _Scanner(path, file, block).places()
    except OSError as cause:
        raise DatasetFormatError(path, "", f"the file cannot be read: {cause.strerror or cause}") from cause


def read_at(path: Path, place: Place) -> Any:
    """The object at a place, decoded strictly (see ``parse_json``).

    Raises:
        DatasetFormatError: the file cannot be read, or the object is not strict JSON.
    """
    try:
        with path.open("rb") as file:
            file.seek(place.offset)
            data = file.read(place.length)
    except OSError as cause:
        raise DatasetFormatError(path, "", f"the file cannot be read: {cause.strerror or cause}") from cause
    return parse_json(data, path, place.words)


class _Scanner:
    """Walks over a file. ``_at`` is the place in the buffer, ``_before`` how many bytes of the file lie before it."""

    def __init__(self, path: Path, file: BinaryIO, block: int) -> None:
        self._path, self._file, self._block = path, file, block
        self._buffer, self._at, self._before = b"", 0, 0

    def places(self) -> Iterator[Place]:
        if self._peek(len(BOM)) == BOM:
            self._at += len(BOM)
        self._expect(b"[", "the beginning")
        number = 0
        while self._next() != b"]":
            if number:
                self._expect(b",", f"the end of entry {number - 1}")
            begin = self._skip_object(number)
            yield Place(number, begin, self._before + self._at - begin)
            number += 1
        self._at += 1
        if self._next():
            self._refuse("nothing more", "behind the array")

    def _skip_object(self, number: int) -> int:
        """Go behind the object that begins here; return its offset in the file."""
        if self._next() != b"{":
            self._refuse("an object", f"entry {number}")
        begin, depth = self._before + self._at, 0
        while True:
            depth += 1 if self._bracket(number) in b"[{" else -1
            if depth == 0:
                return begin

    def _bracket(self, number: int) -> bytes:
        """The next bracket outside of strings; the place is then behind it."""
        while True:
            found = _BRACKET.match(self._buffer, self._at)
            if found is not None:
                self._at = found.end()
                return found[1]
            if not self._more(max(self._block, len(self._buffer) - self._at)):
                self._refuse_end(f"entry {number}")

    def _next(self) -> bytes:
        """The next byte that is no white space, which stays to be read; empty at the end of the file."""
        while True:
            match = _SPACE.match(self._buffer, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._buffer) or not self._more(self._block):
                return self._buffer[self._at : self._at + 1]

    def _peek(self, size: int) -> bytes:
        while len(self._buffer) - self._at < size and self._more(self._block):
            pass
        return self._buffer[self._at : self._at + size]

    def _expect(self, byte: bytes, where: str) -> None:
        found = self._next()
        if not found:
            self._refuse_end(where)
        if found != byte:
            self._refuse(repr(byte.decode()), where)
        self._at += 1

    def _more(self, size: int) -> bool:
        """Read on; what was passed is dropped."""
        data = self._file.read(size)
        self._before += self._at
        self._buffer, self._at = self._buffer[self._at :] + data, 0
        return bool(data)

    def _refuse(self, expected: str, where: str) -> NoReturn:
        found = self._peek(20)[:20].decode("utf-8", errors="replace")
        message = f"found {found!r}; expected {expected} (the file is one JSON array of objects)"
        raise DatasetFormatError(self._path, where, message)

    def _refuse_end(self, where: str) -> NoReturn:
        raise DatasetFormatError(self._path, where, "not valid JSON: the data ends in the middle, as if it was cut off")
