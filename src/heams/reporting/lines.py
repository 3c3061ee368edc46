"""Files of JSON lines, read in Python: a half-written last line is left out, damaged lines are skipped and named."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from heams.orchestration.saved_lines import DamagedLine
from heams.reporting.errors import ResultsError

Model = TypeVar("Model", bound=BaseModel)
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file: its number (from 1), its offset in bytes, and its content."""

    number: int
    offset: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Damage:
    """A line that readers skip, and why."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} ({self.reason})"


def whole_lines(path: Path) -> Iterator[Line]:
    """The lines of ``path`` that were written to their end; none where there is no file."""
    if not path.is_file():
        return
    offset = 0
    with path.open("rb") as file:
        for number, content in enumerate(file, start=1):
            if content.endswith(b"\n"):
                yield Line(number, offset, content)
            offset += len(content)


def sound_lines(path: Path, check: Callable[[bytes], Row], damage: list[Damage]) -> Iterator[tuple[Line, Row]]:
    """The lines that ``check`` accepts, each with what it returned; the others are added to ``damage``."""
    for line in whole_lines(path):
        try:
            row = check(line.content)
        except DamagedLine as cause:
            damage.append(Damage(path.name, line.number, str(cause)))
            continue
        yield line, row


def validated(model: type[Model], path: Path, content: bytes) -> Model:
    """A sound line as its model.

    Raises:
        ResultsError: the line was written by a version of heams with other fields.
    """
    try:
        return model.model_validate_json(content)
    except ValidationError as cause:
        error = cause.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(step) for step in error["loc"])
        raise ResultsError(f"{path}: written by another version of heams: {field}: {error['msg']}") from None
