"""Long pages in stretches, so that the work on a page grows with its length and not with its square."""

from __future__ import annotations

from collections.abc import Iterator

LONGEST_STRETCH = 50_000
_SHORTEST_STRETCH = 5_000
_STRETCH_PER_SIZE = 100
_BREAKS = ("\n\n", "\n", ". ", " ")


def longest_stretch(chunk_size: int) -> int:
    """How long a stretch may be, in code points, that is split into chunks of a size.

    The splitter looks at all the rest of a stretch for every chunk: of text without spaces, as Chinese without
    punctuation or encoded data, small chunks of long stretches would take a minute a megabyte and more.
    """
    return min(LONGEST_STRETCH, max(_SHORTEST_STRETCH, _STRETCH_PER_SIZE * chunk_size))


def stretches(text: str, longest: int = LONGEST_STRETCH) -> Iterator[tuple[int, int]]:
    """Begin and end of parts that together are the text, cut behind a paragraph, a line, a sentence or a word."""
    start = 0
    while len(text) - start > longest:
        end = _break(text, start + longest // 2, start + longest)
        yield start, end
        start = end
    yield start, len(text)


def _break(text: str, earliest: int, latest: int) -> int:
    for mark in _BREAKS:
        position = text.rfind(mark, earliest, latest)
        if position >= 0:
            return position + len(mark)
    return latest
