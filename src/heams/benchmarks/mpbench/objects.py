"""JSON objects of a file of lines of which one line may hold several, and where each of them can be read again."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.reading import BOM, parse_json

_FINDER = json.JSONDecoder()  # finds where an object ends; what it holds is read by the strict reader


class Place(NamedTuple):
    """Where an object stands: the line from 1 and its first byte, and the number of the object in it from 0."""

    line: int
    offset: int
    number: int


class FoundObject(NamedTuple):
    """A value with its place; ``alone`` is False where its line holds others too."""

    value: Any
    place: Place
    alone: bool


def read_objects(path: Path) -> Iterator[FoundObject]:
    """All values of a file in order; blank lines are passed over.

    Raises:
        DatasetFormatError: the file cannot be read, or a line is not strict JSON.
    """
    try:
        with path.open("rb") as file:
            offset = 0
            for line, data in enumerate(file, start=1):
                values = _values(data, f"{path}:{line}")
                for number, value in enumerate(values):
                    yield FoundObject(value, Place(line, offset, number), len(values) == 1)
                offset += len(data)
    except OSError as cause:
        raise DatasetFormatError(path, "", f"the file cannot be read: {cause.strerror or cause}") from cause


def read_object(path: Path, place: Place) -> Any:
    """The value at a place.

    Raises:
        DatasetFormatError: the file cannot be read, or has changed.
    """
    try:
        with path.open("rb") as file:
            file.seek(place.offset)
            return _values(file.readline(), f"{path}:{place.line}")[place.number]
    except (OSError, IndexError) as cause:
        raise DatasetFormatError(path, f"line {place.line}", "the file has changed since it was first read") from cause


def _values(data: bytes, place: str) -> list[Any]:
    try:
        text = data.removeprefix(BOM).decode("utf-8").strip()
    except UnicodeDecodeError:
        return [parse_json(data, place)]  # says which byte
    found: list[Any] = []
    at = 0
    while at < len(text):
        end = _end_of_value(text, at)
        found.append(parse_json(text[at:end].encode("utf-8"), place))
        at = end + len(text[end:]) - len(text[end:].lstrip())
    return found


def _end_of_value(text: str, start: int) -> int:
    try:
        return _FINDER.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return len(text)  # the strict reader says what is wrong with it
