"""Reads what an earlier process left in an experiment's folder, and mends what it left half-written."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic_core import SchemaValidator, ValidationError, core_schema

from heams.orchestration.store import WRITE_ORDER

_FIELD, _STRING, _INTEGER = core_schema.typed_dict_field, core_schema.str_schema(), core_schema.int_schema()
_RESULT_KEY = SchemaValidator(
    core_schema.typed_dict_schema(
        {
            "run_id": _FIELD(_STRING),
            "sample_id": _FIELD(_STRING),
            "repeat": _FIELD(core_schema.with_default_schema(_INTEGER, default=0)),
            "attempt": _FIELD(core_schema.with_default_schema(_INTEGER, default=1)),
            "status": _FIELD(_STRING),
        }
    )
)
"""What a resumed run needs of a line; the rest is checked to be JSON, but no objects are made of it."""


@dataclass(slots=True)
class FinishedIndex:
    """Per (sample_id, repeat): the number of the last attempt, negative where that attempt ended in an error."""

    attempts: dict[tuple[str, int], int] = field(default_factory=dict)
    completed: int = 0

    def record(self, sample_id: str, repeat: int, attempt: int, *, ok: bool) -> None:
        """Take a line into account; the highest attempt wins."""
        key = (sample_id, repeat)
        known = self.attempts.get(key, 0)
        if attempt > abs(known):
            self.attempts[key] = attempt if ok else -attempt
            self.completed += ok - (known > 0)

    def is_final(self, sample_id: str, repeat: int) -> bool:
        """Whether the scenario has a completed result; one that ended in an error is played again."""
        return self.attempts.get((sample_id, repeat), 0) > 0

    def next_attempt(self, sample_id: str, repeat: int) -> int:
        """The number of the next attempt, from 1."""
        return abs(self.attempts.get((sample_id, repeat), 0)) + 1


def drop_torn_lines(directory: Path) -> list[str]:
    """Cut half-written last lines (a process was killed in mid-write) off the line files; return a note for each."""
    notes: list[str] = []
    for name in WRITE_ORDER:
        path = directory / name
        if path.is_file() and (torn := _torn_bytes(path)):
            os.truncate(path, path.stat().st_size - torn)
            notes.append(f"{name}: dropped a half-written last line ({torn} bytes); its scenario is played again")
    return notes


def read_finished(runs_file: Path, run_id: str) -> tuple[FinishedIndex, list[str]]:
    """Index the results of ``run_id``; lines that cannot be read are named and their scenarios played again."""
    index = FinishedIndex()
    notes: list[str] = []
    for number, line in _lines(runs_file):
        try:
            row = _RESULT_KEY.validate_json(line)
        except ValidationError as cause:
            reason = cause.errors(include_url=False)[0]["msg"]
            notes.append(
                f"{runs_file.name}:{number}: unreadable line left out ({reason}); its scenario is played again"
            )
            continue
        if row["run_id"] == run_id:
            index.record(row["sample_id"], row["repeat"], row["attempt"], ok=row["status"] == "completed")
    return index, notes


def _torn_bytes(path: Path) -> int:
    size = path.stat().st_size
    with path.open("rb") as file:
        tail = b""
        position = size
        while position > 0:
            step = min(65_536, position)
            position -= step
            file.seek(position)
            tail = file.read(step) + tail
            newline = tail.rfind(b"\n")
            if newline >= 0:
                return len(tail) - newline - 1
    return size


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    if path.is_file():
        with path.open("rb") as file:
            yield from enumerate(file, start=1)
