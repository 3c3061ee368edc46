"""Which events are behind each line of an edited file.

A line that an edit leaves alone keeps its events. A line that stood somewhere in the notes before, word for word, was
moved and keeps them too. A line that is new comes from the events of the edit; where it holds at least half of the
words of a line that the edit replaced, that line was reworded, and its events stay behind the new one as well.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice, takewhile

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
    before, after = _alike(file, texts)
    old, new = file[before : len(file) - after], texts[before : len(texts) - after]
    lines = [*file[:before]]
    # comparing lines that repeat takes long, so only what lies between equal ends is compared
    for kind, old_start, old_end, start, end in _changes(old, new):
        if kind == "equal":
            lines += old[old_start:old_end]
        else:
            replaced = _Replaced(old[old_start:old_end])
            made = {text: _line(text, origin, stood, replaced) for text in set(new[start:end])}
            lines += [made[text] for text in new[start:end]]
    return (*lines, *file[len(file) - after :])


def _changes(old: NoteFile, new: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    return SequenceMatcher(None, [line.text for line in old], new).get_opcodes()


def _alike(file: NoteFile, texts: Sequence[str]) -> tuple[int, int]:
    """How many lines stay as they are at the beginning, and how many of the others at the end."""
    both = list(zip((line.text for line in file), texts, strict=False))
    before = next((place for place, (old, new) in enumerate(both) if old != new), len(both))
    ends = zip((line.text for line in reversed(file)), reversed(texts), strict=False)
    rest = islice(ends, min(len(file), len(texts)) - before)
    return before, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], rest))


class _Replaced:
    """Lines that an edit replaced, found by the words of what may be one of them in other words."""

    def __init__(self, lines: NoteFile) -> None:
        self._lines = tuple(dict.fromkeys(lines))
        self._places: dict[str, list[int]] = {}
        words = [_words(line.text) for line in self._lines]
        self._sizes = [len(each) for each in words]
        for place, each in enumerate(words):
            for word in each:
                self._places.setdefault(word, []).append(place)

    def reworded_as(self, text: str) -> list[Line]:
        """The lines of which ``text`` holds at least half of the words."""
        shared = Counter(place for word in _words(text) for place in self._places.get(word, ()))
        return [self._lines[place] for place in sorted(shared) if shared[place] >= _SHARE * self._sizes[place]]


def _line(text: str, origin: Origin, stood: Mapping[str, Line], replaced: _Replaced) -> Line:
    if not text.strip():
        return Line(text=text)
    if text in stood:
        return stood[text]
    reworded = replaced.reworded_as(text)
    event_ids = [event_id for line in reworded for event_id in line.event_ids]
    return Line(
        text=text,
        event_ids=tuple(dict.fromkeys([*event_ids, *origin.event_ids])),
        at=latest([origin.at, *(line.at for line in reworded)]),
    )


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
