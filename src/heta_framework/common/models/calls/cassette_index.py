"""Where the records of a cassette are, by key: some 30 bytes a record, whatever it holds."""

from array import array
from collections.abc import Iterable
from pathlib import Path

from heta_framework.common.config import nearest
from heta_framework.common.models.calls.cassette import (
    CassetteError,
    RecordedCall,
    is_whole,
    key_of,
    read_record,
    unfinished,
)
from heta_framework.common.models.calls.cassette_lines import CassetteLines, Place, cassette_lines, lines_of
from heta_framework.common.models.calls.notices import Say


class CassetteIndex:
    """The index of one file. Of several records of one call it knows the last one."""

    def __init__(self, path: Path, say: Say) -> None:
        """Read the file once. ``say`` hears that it was not finished.

        Raises:
            CassetteError: there is no such file, or it is no cassette that can be read.
        """
        self.path = path
        self._numbers: dict[bytes, int] = {}
        self._places = tuple(array("Q") for _ in Place._fields)
        lines = cassette_lines(path)
        try:
            self._fill(lines, say)
        except FileNotFoundError as error:
            raise CassetteError(f"there is no cassette {path}{_near(path)}") from error
        except OSError as error:
            raise CassetteError(f"{path} cannot be read: {error.strerror or error}") from error

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def numbers(self) -> Iterable[int]:
        """Numbers of the lines that answer a call, counted from 1."""
        return self._numbers.values()

    def number_of(self, key: str) -> int | None:
        """The number of the line that answers the call with this key."""
        return self._numbers.get(bytes.fromhex(key))

    def record(self, number: int, lines: CassetteLines) -> RecordedCall:
        """The record in a line, read from ``lines`` of the same file.

        Raises:
            CassetteError: the line is damaged, or the file cannot be read any more.
        """
        place = Place(*(column[number - 1] for column in self._places))
        try:
            return read_record(lines.line(place))
        except OSError as error:
            raise CassetteError(f"{self.path} cannot be read: {error.strerror or error}") from error
        except ValueError as error:
            raise CassetteError(f"{self.path}, line {number}: {error}") from error

    def _fill(self, lines: CassetteLines, say: Say) -> None:
        finished = True
        for frame in lines.frames():
            finished = frame.whole
            for place, line in lines_of(frame):
                if finished or is_whole(line):
                    self._add(place, line)
        if not self._places[0]:
            raise CassetteError(f"{self.path} is empty: it has no header of a cassette")
        if not finished:
            say(unfinished(self.path))

    def _add(self, place: Place, line: bytes) -> None:
        for column, value in zip(self._places, place, strict=True):
            column.append(value)
        number = len(self._places[0])
        try:
            key = key_of(line)
        except ValueError as error:
            raise CassetteError(f"{self.path}, line {number}: {error}") from error
        if key is not None and number == 1:
            raise CassetteError(f"{self.path}, line 1: not the header of a cassette")
        if key is not None:
            self._numbers[key] = number


def _near(path: Path) -> str:
    if not path.parent.is_dir():
        return ""
    near = nearest(
        path.name, [entry.name for entry in path.parent.iterdir() if entry.name.endswith((".zst", ".jsonl"))]
    )
    return f"; did you mean {str(path.with_name(near))!r}?" if near else ""
