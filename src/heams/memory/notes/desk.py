"""The files as the model works on them: a copy, whose edits count only when the work is done.

Names are mere names: nothing here touches a disk. Whatever breaks a rule is refused in words that tell the model what
to do instead.
"""

import re
from collections.abc import Sequence

from heams.memory.base import MemoryEvent
from heams.memory.notes.lineage import Origin, edited
from heams.memory.notes.state import NoteFile, NotesState, text_of
from heta_framework.common.text.surrogates import replace_surrogates

_NAME = re.compile(r"(?:\w[\w .-]*/){0,3}\w[\w .-]*")
_LONGEST_NAME = 80


class Refused(Exception):  # noqa: N818 - reads as what happened
    """An edit breaks a rule; the message is for the model."""


class Desk:
    """Notes under work, after the ``batch`` of events that the model was shown (none when it is to forget)."""

    def __init__(self, state: NotesState, batch: Sequence[MemoryEvent], *, max_files: int, max_file_chars: int) -> None:
        self._files = dict(state.files)
        self._stood = {line.text: line for file in state.files.values() for line in file}
        self._batch = batch
        self._max_files = max_files
        self._max_file_chars = max_file_chars

    def state(self) -> NotesState:
        """The files as they are now."""
        return NotesState(files=self._files)

    def listing(self) -> str:
        """The names of the files with their numbers of lines."""
        return "\n".join(f"{name} ({_counted(len(file), 'line')})" for name, file in sorted(self._files.items()))

    def read(self, name: str) -> str:
        """The text of a file."""
        return text_of(self._file(name))

    def create(self, name: str, text: str, sources: Sequence[int]) -> None:
        """Make a new file."""
        if name in self._files:
            raise Refused(f"{name!r} exists already: append to it, or replace text in it")
        if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
            raise Refused(
                f"{name[:_LONGEST_NAME]!r} is no name for a file: use at most {_LONGEST_NAME} letters, digits, spaces, "
                f"dots and hyphens, and '/' between folders"
            )
        if len(self._files) >= self._max_files:
            raise Refused(f"there are {self._max_files} files, and no more are allowed: use one of them")
        self._write(name, (), _lines(text), sources)

    def append(self, name: str, text: str, sources: Sequence[int]) -> None:
        """Add lines at the end of a file."""
        file = self._file(name)
        self._write(name, file, [*(line.text for line in file), *_lines(text)], sources)

    def replace(self, name: str, old: str, new: str, sources: Sequence[int]) -> None:
        """Replace a passage that stands in the file once."""
        file = self._file(name)
        text, sought = text_of(file), "\n".join(_lines(old))
        count = text.count(sought) if sought else 0
        if count != 1:
            found = "does not stand" if count == 0 else f"stands {count} times"
            raise Refused(f"the old text {found} in {name!r}: copy it exactly, with enough around it to be found once")
        self._write(name, file, _lines(text.replace(sought, "\n".join(_lines(new)))), sources)

    def delete(self, name: str) -> None:
        """Remove a file with everything in it."""
        self._file(name)
        del self._files[name]

    def _file(self, name: str) -> NoteFile:
        if name in self._files:
            return self._files[name]
        names = ", ".join(sorted(self._files)) or "none"
        raise Refused(f"there is no file {name[:_LONGEST_NAME]!r}; there are: {names}")

    def _write(self, name: str, file: NoteFile, texts: Sequence[str], sources: Sequence[int]) -> None:
        length = sum(len(text) + 1 for text in texts)
        if length > self._max_file_chars:
            raise Refused(
                f"{name!r} would have {length} characters, and at most {self._max_file_chars} are allowed: "
                f"write less, or use another file"
            )
        self._files[name] = edited(file, texts, self._origin(sources), self._stood)

    def _origin(self, sources: Sequence[int]) -> Origin:
        """The events that the model names; where it names none that it was shown, all of them."""
        named = [self._batch[number - 1] for number in dict.fromkeys(sources) if 1 <= number <= len(self._batch)]
        return Origin.of(named or self._batch)


def _lines(text: str) -> list[str]:
    return replace_surrogates(text).splitlines()


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
