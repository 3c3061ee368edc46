"""What is wrong with a file of runs or labels, and where."""

from __future__ import annotations

from pathlib import Path


class TrecFileError(ValueError):
    """A run or qrels file cannot be read or written.

    Attributes:
        path: of the file.
        line: from 1; None where the problem belongs to the file as a whole.
    """

    def __init__(self, path: Path, line: int | None, message: str) -> None:
        place = str(path) if line is None else f"{path}:{line}"
        super().__init__(f"{place}: {message}")
        self.path = path
        self.line = line
