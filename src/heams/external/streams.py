"""Bounded readers of what a program writes: whole lines, and the end of a stream."""

from heams.external.protocol import MAX_MESSAGE_BYTES

_TAIL_BYTES = 16_384
_TAIL_LINES = 30


class LineTooLong(Exception):  # noqa: N818 - what happened, in words
    """A line is longer than a message may be."""


class LineBuffer:
    """Cuts a stream of bytes into lines; holds at most one unfinished line of ``limit`` bytes."""

    def __init__(self, limit: int = MAX_MESSAGE_BYTES) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete with ``data``, without their newlines.

        Raises:
            LineTooLong: a line exceeds the limit.
        """
        *lines, rest = data.split(b"\n")
        if lines:
            lines[0] = b"".join([*self._parts, lines[0]])
            self._parts, self._size = [], 0
        self._parts.append(rest)
        self._size += len(rest)
        if self._size > self._limit or any(len(line) > self._limit for line in lines):
            raise LineTooLong(f"wrote more than {self._limit} bytes without a newline")
        return lines


class Tail:
    """Keeps the last lines of a stream of bytes, however long it is."""

    def __init__(self) -> None:
        self._kept = b""

    def feed(self, data: bytes) -> None:
        """Take what the stream brought."""
        self._kept = (self._kept + data[-_TAIL_BYTES:])[-_TAIL_BYTES:]

    def lines(self) -> list[str]:
        """The last 30 lines of what the last 16 KiB hold, without blank ones and control characters."""
        lines = self._kept.decode("utf-8", "replace").expandtabs(4).splitlines()
        clean = ["".join(character for character in line if character.isprintable()) for line in lines]
        return [line.rstrip() for line in clean if line.strip()][-_TAIL_LINES:]
