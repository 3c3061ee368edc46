"""Reads what an earlier process left in an experiment's folder, and mends what it left half-written."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from heams.orchestration.files import replace_with
from heams.orchestration.line_identity import line_identity
from heams.orchestration.store import RUNS, WRITE_ORDER
from heta_framework.common.durable_lines import cut_torn_line


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


def read_earlier(directory: Path, run_id: str) -> tuple[FinishedIndex, list[str]]:
    """Index the results of ``run_id``, and mend what cannot be read; the notes say what was done.

    A half-written last line (the process was killed in mid-write) is cut off. A damaged line of ``runs.jsonl`` is moved
    to ``runs.jsonl.damaged``. The scenarios of both are played again.
    """
    notes = drop_torn_lines(directory)
    index, damaged = _index(directory / RUNS, run_id)
    if damaged:
        _set_aside(directory / RUNS, set(damaged))
        notes += [
            f"{RUNS}:{number}: damaged line moved to {RUNS}.damaged ({reason}); its scenario is played again"
            for number, reason in damaged.items()
        ]
    return index, notes


def drop_torn_lines(directory: Path) -> list[str]:
    """Cut half-written last lines off the line files; return a note for each."""
    notes: list[str] = []
    for name in WRITE_ORDER:
        torn = cut_torn_line(directory / name)
        if torn:
            again = "its scenario is played again" if name == RUNS else "it is written again when needed"
            notes.append(f"{name}: dropped a half-written last line ({torn} bytes); {again}")
    return notes


def _index(runs_file: Path, run_id: str) -> tuple[FinishedIndex, dict[int, str]]:
    index = FinishedIndex()
    damaged: dict[int, str] = {}
    for number, line in _lines(runs_file):
        try:
            row = line_identity(line)
        except ValueError as cause:
            damaged[number] = str(cause)
            continue
        if row["run_id"] == run_id:
            index.record(row["sample_id"], row["repeat"], row["attempt"], ok=row["status"] == "completed")
    return index, damaged


def _set_aside(path: Path, damaged: set[int]) -> None:
    with path.with_name(f"{path.name}.damaged").open("ab") as aside:
        aside.writelines(line for number, line in _lines(path) if number in damaged)
    replace_with(path, (line for number, line in _lines(path) if number not in damaged))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    if path.is_file():
        with path.open("rb") as file:
            yield from enumerate(file, start=1)
