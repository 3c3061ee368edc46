"""Windows of a fixed number of tokens, cut back to the last punctuation mark inside them.

A window that reaches the end of the page is not cut back. The next one begins ``overlap`` tokens before the end of the
one before it. Where cutting back would leave no way forward (the last mark stands among the first ``overlap`` tokens),
the window stays whole: so every token is in some window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from heta_framework.kb.chunking.span import Span, trimmed

Cut = Callable[[int, int], int]
"""Of the window from a token to a token: where it ends behind its last punctuation mark; its beginning without one."""


def windows(length: int, size: int, overlap: int, cut: Cut) -> Iterator[tuple[int, int]]:
    """The windows over a page of ``length`` tokens, as token numbers; ``overlap`` is smaller than ``size``."""
    start = 0
    while start < length:
        end = min(start + size, length)
        if end < length:
            back = cut(start, end)
            end = back if back > start + overlap else end
        yield start, end
        if end >= length:
            return
        start = end - overlap


def character_windows(text: str, size: int, overlap: int, marks: Sequence[str]) -> list[Span]:
    """Windows whose tokens are code points."""

    def cut(start: int, end: int) -> int:
        return _behind_last_mark(text, start, end, marks)

    spans: list[Span] = []
    for start, end in windows(len(text), size, overlap, cut):
        first, last = trimmed(text, start, end)
        if first < last:
            spans.append(Span(first, last, start, end))
    return spans


def token_windows(
    text: str, offsets: Sequence[tuple[int, int]], size: int, overlap: int, marks: Sequence[str]
) -> list[Span]:
    """Windows whose tokens stand at ``offsets`` (begin and end in code points, ascending)."""

    def cut(start: int, end: int) -> int:
        back = end
        while back > start and not _has_mark(text[offsets[back - 1][0] : offsets[back - 1][1]], marks):
            back -= 1
        return back

    spans: list[Span] = []
    for start, end in windows(len(offsets), size, overlap, cut):
        first, last = trimmed(text, offsets[start][0], offsets[end - 1][1])
        if first < last:
            spans.append(Span(first, last, start, end))
    return spans


def _behind_last_mark(text: str, start: int, end: int, marks: Sequence[str]) -> int:
    found = start
    for mark in marks:
        position = text.rfind(mark, found, end)
        if position >= 0:
            found = max(found, position + len(mark))
    return found


def _has_mark(piece: str, marks: Sequence[str]) -> bool:
    return any(mark in piece for mark in marks)
