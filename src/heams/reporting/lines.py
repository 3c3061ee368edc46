"""Files of JSON lines, read in Python: a half-written last line is left out, damage is named with its line."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from heams.reporting.errors import ResultsError

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file: its number (from 1), its offset in bytes, and its content."""

    path: Path
    number: int
    offset: int
    content: bytes

    def row(self, *needed: str) -> dict[str, Any]:
        """The line as a mapping that has the ``needed`` keys.

        Raises:
            ResultsError: it is none.
        """
        try:
            row: dict[str, Any] = from_json(self.content)
            for key in needed:
                row[key]
        except (ValueError, KeyError, TypeError) as cause:
            place = f"{self.path}:{self.number}"
            raise ResultsError(f"{place}: this line is no result ({cause}); resume the run to mend it") from None
        return row


def whole_lines(path: Path) -> Iterator[Line]:
    """The lines of ``path`` that were written to their end; none where there is no file."""
    if not path.is_file():
        return
    offset = 0
    with path.open("rb") as file:
        for number, content in enumerate(file, start=1):
            if content.endswith(b"\n"):
                yield Line(path, number, offset, content)
            offset += len(content)


def validated(model: type[Model], path: Path, content: bytes) -> Model:
    """A saved line as its model.

    Raises:
        ResultsError: the line was written by a version of heams with other fields.
    """
    try:
        return model.model_validate_json(content)
    except ValidationError as cause:
        error = cause.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(step) for step in error["loc"])
        raise ResultsError(f"{path}: written by another version of heams: {field}: {error['msg']}") from None
