"""Where a chunk stands in its page."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A piece of a page: in code points without the white space around it, and in tokens of the page."""

    char_start: int
    char_end: int
    token_start: int
    token_end: int


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The part of ``text[start:end]`` without white space at its ends; an empty one where it is blank."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    return (start + left, start + right) if left < right else (start, start)
