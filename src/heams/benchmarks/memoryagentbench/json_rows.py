"""Rows from a JSON Lines file: where each begins is kept, and a context is read again when it is played."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, StrictStr, TypeAdapter

from heams.benchmarks.memoryagentbench.records import NumberedRow, Row
from heta_framework.common.data_files import DatasetFormatError, checked, parse_json
from heta_framework.common.data_files.reading import BOM


class _Context(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    context: StrictStr


_ROW, _CONTEXT = TypeAdapter(Row), TypeAdapter(_Context)


class JsonRows:
    """A file of rows, one a line.

    Raises:
        DatasetFormatError: the file cannot be read, or a line is not in the format.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: list[tuple[int, int]] = []  # offset and number of the line of each row

    def rows(self) -> Iterator[NumberedRow]:
        """All rows, in order; one is held at a time."""
        self._lines = []
        try:
            with self._path.open("rb") as file:
                offset = 0
                for line_number, line in enumerate(file, start=1):
                    if line.removeprefix(BOM).strip():
                        self._lines.append((offset, line_number))
                        yield self._row(line, len(self._lines) - 1, f"{self._path}:{line_number}")
                    offset += len(line)
        except OSError as cause:
            raise DatasetFormatError(self._path, "", f"the file cannot be read: {cause.strerror or cause}") from cause

    def context(self, number: int) -> str:
        """The context of one of the rows that were gone through."""
        offset, line_number = self._lines[number]
        with self._path.open("rb") as file:
            file.seek(offset)
            place = f"{self._path}:{line_number}"
            return checked(_CONTEXT, parse_json(file.readline(), place), place).context

    def _row(self, line: bytes, number: int, place: str) -> NumberedRow:
        value: Any = parse_json(line, place)
        context = checked(_CONTEXT, value, place).context
        return NumberedRow(place, number, checked(_ROW, value, place), bool(context.strip()), _digest(context))


def _digest(context: str) -> str:
    return sha256(context.encode("utf-8")).hexdigest()
