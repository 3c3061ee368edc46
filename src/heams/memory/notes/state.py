"""What a ``notes`` memory holds. It never changes: every edit makes other files, so forks share them."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from heams.scenarios.clock import Instant


class Line(BaseModel):
    """A line of a file, the events that it came from, and the time of the latest."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    event_ids: tuple[str, ...] = ()
    at: Instant | None = None


NoteFile = tuple[Line, ...]


class NotesState(BaseModel):
    """Files by name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    files: Mapping[str, NoteFile] = {}


def text_of(file: NoteFile) -> str:
    """The whole file."""
    return "\n".join(line.text for line in file)
