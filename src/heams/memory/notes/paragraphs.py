"""Files as paragraphs, which are what is recalled.

A paragraph ends at a blank line and before a list item; a heading belongs to what follows it, and is repeated in front
of the other paragraphs below it, because a line of a list says little without it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heams.memory.base import RecalledItem
from heams.memory.listening.times import latest
from heams.memory.notes.state import Line, NoteFile, NotesState

_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?P<title>.*\S)")
_LIST_ITEM = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+\S")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines of a file from ``first`` to ``last`` (counted from 1) without blank ones, and a heading above them."""

    file: str
    first: int
    last: int
    lines: NoteFile
    heading: str

    @property
    def id(self) -> str:
        """``file:line``."""
        return f"{self.file}:{self.first}"

    @property
    def numbers(self) -> range:
        """The numbers of its lines, blank ones after a heading included."""
        return range(self.first, self.last + 1)

    def item(self) -> RecalledItem:
        """The paragraph with the name of its file in front."""
        place = f"{self.file} › {self.heading}" if self.heading else self.file
        return RecalledItem(
            id=self.id,
            text=f"[{place}] " + "\n".join(line.text for line in self.lines),
            event_ids=tuple(dict.fromkeys(event_id for line in self.lines for event_id in line.event_ids)),
            at=latest(line.at for line in self.lines),
            metadata={"kind": "paragraph", "file": self.file},
        )


def paragraphs(state: NotesState) -> list[Paragraph]:
    """All paragraphs, files in the order of their names."""
    return [paragraph for name in sorted(state.files) for paragraph in _of_file(name, state.files[name])]


def _of_file(name: str, file: NoteFile) -> Iterator[Paragraph]:
    heading = ""
    for block in _blocks(file):
        lines = tuple(line for _, line in block)
        titles = [found["title"] for line in lines if (found := _HEADING.match(line.text))]
        yield Paragraph(name, block[0][0], block[-1][0], lines, "" if titles else heading)
        heading = titles[-1] if titles else heading


def _blocks(file: NoteFile) -> Iterator[Sequence[tuple[int, Line]]]:
    block: list[tuple[int, Line]] = []
    for number, line in enumerate(file, start=1):
        if _ends([before for _, before in block], line):
            yield block
            block = []
        if line.text.strip():
            block.append((number, line))
    if block:
        yield block


def _ends(block: Sequence[Line], following: Line) -> bool:
    """Whether ``following`` is no part of the block; headings wait for something to stand below them."""
    if all(_HEADING.match(line.text) for line in block):
        return False
    text = following.text
    return not text.strip() or bool(_HEADING.match(text) or _LIST_ITEM.match(text))
