"""What a user is told when a configuration cannot be used."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ConfigProblem:
    """One thing that has to change before a configuration can be used.

    `line` counts from 1. `field` is dotted (`experiments.0.limit`; list items by position from 0) and empty where the
    problem belongs to the file as a whole. `message` says what was found and what is allowed, `hint` what may be meant.
    """

    file: Path | None
    line: int | None
    field: str
    message: str
    hint: str | None = None

    def __str__(self) -> str:
        where = [self._place(), self.field]
        return ": ".join([part for part in where if part] + ["; ".join(filter(None, [self.message, self.hint]))])

    def _place(self) -> str:
        if self.file is None:
            return "" if self.line is None else f"line {self.line}"
        return str(self.file) if self.line is None else f"{self.file}:{self.line}"


class ConfigError(Exception):
    """A configuration that cannot be used, with every problem that was found in it (at least one).

    `str()` gives one line a problem: `path:line: field.path: what was found; what is allowed; did you mean 'x'?`.
    """

    def __init__(self, problems: Iterable[ConfigProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)
