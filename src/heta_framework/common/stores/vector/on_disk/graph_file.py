"""Where a collection keeps its graph between two processes: a file, and a note with its checksum.

The graph can be made again from the rows, so nothing here is worth an error: what is missing, torn, altered or of an
older generation counts as no graph at all.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from pathlib import Path
from typing import NamedTuple

_NOTE = "graph.json"
_PATTERN = "graph-*.usearch"


class Note(NamedTuple):
    """What is said of a saved graph: its file, the rows that it covers, and the SHA-256 of its bytes."""

    file: str
    generation: int
    covered: int
    sha256: str


class GraphFile:
    """The saved graph of one collection's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def note(self, generation: int) -> Note | None:
        """The note of the graph of a generation, if there is one; whether the file agrees is not looked at."""
        try:
            note = Note(**json.loads((self._folder / _NOTE).read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        return note if note.generation == generation else None

    def path_of(self, note: Note) -> Path | None:
        """The file of a note, if it is there and unaltered."""
        path = self._folder / Path(note.file).name
        try:
            return path if _sha256(path) == note.sha256 else None
        except OSError:
            return None

    def place(self) -> Path:
        """A new name for a graph to be saved under."""
        return self._folder / f"graph-{secrets.token_hex(4)}.usearch"

    def discard(self) -> None:
        """Remove what is saved."""
        for path in (self._folder / _NOTE, *self._folder.glob(_PATTERN)):
            path.unlink(missing_ok=True)

    def publish(self, path: Path, generation: int, covered: int) -> None:
        """Make the graph in `path` the one that is found from now on, and remove all others."""
        note = Note(path.name, generation, covered, _sha256(path))
        beside = self._folder / f".{_NOTE}.{secrets.token_hex(4)}.tmp"
        _sync(path)
        beside.write_text(json.dumps(note._asdict()), "utf-8")
        _sync(beside)
        beside.replace(self._folder / _NOTE)
        for other in (*self._folder.glob(_PATTERN), *self._folder.glob(f".{_NOTE}.*.tmp")):
            if other != path:
                other.unlink(missing_ok=True)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
