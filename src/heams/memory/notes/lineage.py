"""Which events are behind each line of an edited file.

A line that an edit leaves alone keeps its events. A line that stood somewhere in the notes before, word for word, was
moved and keeps them too. A line that is new comes from the events of the edit; where it holds at least half of the
words of a line that the edit replaced, that line was reworded, and its events stay behind the new one as well.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from heams.memory.base import MemoryEvent
from heams.memory.listening.times import latest
from heams.memory.notes.state import Line, NoteFile
from heams.scenarios.clock import Instant

_WORD = re.compile(r"\w+")
_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Origin:
    """The events that an edit comes from, and the time of the latest."""

    event_ids: tuple[str, ...] = ()
    at: Instant | None = None

    @classmethod
    def of(cls, events: Sequence[MemoryEvent]) -> "Origin":
        """What comes from these events."""
        event_ids = dict.fromkeys(event_id for event in events for event_id in event.provenance)
        return cls(tuple(event_ids), latest(event.at for event in events))


def edited(file: NoteFile, texts: Sequence[str], origin: Origin, stood: Mapping[str, Line]) -> NoteFile:
    """The lines ``texts`` that an edit from ``origin`` made of ``file``; ``stood`` are lines of the notes before."""
    lines: list[Line] = []
    matcher = SequenceMatcher(None, [line.text for line in file], list(texts), autojunk=False)
    for kind, old_start, old_end, start, end in matcher.get_opcodes():
        if kind == "equal":
            lines += file[old_start:old_end]
        else:
            lines += [_line(text, origin, stood, file[old_start:old_end]) for text in texts[start:end]]
    return tuple(lines)


def _line(text: str, origin: Origin, stood: Mapping[str, Line], replaced: NoteFile) -> Line:
    if not text.strip():
        return Line(text=text)
    if text in stood:
        return stood[text]
    reworded = [line for line in replaced if _is_reworded(line.text, text)]
    event_ids = [event_id for line in reworded for event_id in line.event_ids]
    return Line(
        text=text,
        event_ids=tuple(dict.fromkeys([*event_ids, *origin.event_ids])),
        at=latest([origin.at, *(line.at for line in reworded)]),
    )


def _is_reworded(old: str, new: str) -> bool:
    words = _words(old)
    return bool(words) and len(words & _words(new)) >= _SHARE * len(words)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
