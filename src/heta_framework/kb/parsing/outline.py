"""The headings above a text, kept while a document is read from its beginning to its end."""

from __future__ import annotations

from heta_framework.kb.parsing.types import Heading


class Outline:
    """Collects headings as they come; each replaces those of its own level and below."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []
        self._found: list[Heading] = []

    def add(self, level: int, title: str, start: int) -> None:
        """A heading of a level (1 is the outermost) with its section's beginning; a blank one counts for nothing."""
        if not title.strip():
            return
        self._open = [(known, text) for known, text in self._open if known < level] + [(level, title.strip())]
        self._found.append(Heading(start, tuple(text for _, text in self._open)))

    def headings(self) -> tuple[Heading, ...]:
        """All of them, in the order of the text."""
        return tuple(self._found)
