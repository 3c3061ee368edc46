"""What was said, by context: a JSON Lines file of which only the places of its lines are kept.

A line is an object with one key, the context's id; its value is the list of messages. A file for a million tokens a
context stays on disk: one line is read when its questions are asked.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, TypeAdapter

from heta_framework.common.data_files import DatasetFormatError, checked, parse_json

_KEY = re.compile(rb'^(?:\xef\xbb\xbf)?\s*\{\s*("(?:[^"\\]|\\.)*")\s*:')
_CONTEXTS_IN_MEMORY = 2


class Message(BaseModel):
    """One message; a ``system`` message opens a session."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    role: Literal["system", "user", "assistant"]
    content: str


class _Place(NamedTuple):
    offset: int
    line: int


_LINE = TypeAdapter(dict[str, tuple[Message, ...]])


class Contexts:
    """The contexts of a file by their ids.

    Raises:
        DatasetFormatError: the file cannot be read, a line does not begin as it should, or an id occurs twice.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places: dict[str, _Place] = {}
        self._scan()
        self._read = lru_cache(maxsize=_CONTEXTS_IN_MEMORY)(self._read_line)

    def messages(self, context_id: str) -> Sequence[Message]:
        """All messages of a context.

        Raises:
            DatasetFormatError: the line is not in the format.
            KeyError: there is no such context.
        """
        return self._read(self._places[context_id])

    def __contains__(self, context_id: str) -> bool:
        return context_id in self._places

    @property
    def ids(self) -> Sequence[str]:
        """The ids in the order of the file."""
        return list(self._places)

    def _scan(self) -> None:
        offset = 0
        try:
            with self._path.open("rb") as file:
                for number, line in enumerate(file, start=1):
                    if line.strip():
                        self._add(line, _Place(offset, number))
                    offset += len(line)
        except OSError as cause:
            raise DatasetFormatError(self._path, "", f"the file cannot be read: {cause.strerror or cause}") from cause

    def _add(self, line: bytes, place: _Place) -> None:
        where = f"{self._path}:{place.line}"
        found = _KEY.match(line)
        if found is None:
            raise DatasetFormatError(where, "", 'found something else than {"<context id>": [messages]}')
        context_id = str(parse_json(found[1], where))
        if context_id in self._places:
            first = self._places[context_id].line
            raise DatasetFormatError(where, "", f"found the context {context_id!r} again (first in line {first})")
        self._places[context_id] = place

    def _read_line(self, place: _Place) -> tuple[Message, ...]:
        with self._path.open("rb") as file:
            file.seek(place.offset)
            line = file.readline()
        where = f"{self._path}:{place.line}"
        contexts = checked(_LINE, parse_json(line, where), where)
        if len(contexts) != 1:
            raise DatasetFormatError(where, "", f"found {len(contexts)} contexts in a line; expected one")
        return next(iter(contexts.values()))
