"""The lines of a cassette and where they are, so that any of them can be read again without keeping it.

Compressed lines stand in many small zstd frames of whole lines each: one line is read by unpacking its frame.
"""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import zstandard

from heta_framework.common.models.calls.cassette import CassetteError, is_compressed, is_whole

_CHUNK: Final = 1 << 17
_LARGEST_FRAME: Final = 1 << 26
_FRAMES_KEPT: Final = 8


class Place(NamedTuple):
    """Where a line is: the offset of its frame in the file, and its start and length within the frame's text.

    In a plain cassette every line is a frame of its own.
    """

    frame: int
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Frame:
    """Text at ``offset`` of the file. ``whole`` is False where the file ends before the frame does."""

    offset: int
    text: bytes
    whole: bool = True


class CassetteLines(Protocol):
    """Reads the lines of one file."""

    def frames(self) -> Iterator[Frame]:
        """All frames, first to last.

        Raises:
            CassetteError: the file is not compressed as it should be, or damaged.
            OSError: it cannot be read.
        """
        ...

    def line(self, place: Place) -> bytes:
        """One line."""
        ...


def cassette_lines(path: Path) -> CassetteLines:
    """The lines of the cassette at ``path``, compressed or not as its name says.

    Raises:
        CassetteError: its name says neither.
    """
    return CompressedLines(path) if is_compressed(path) else PlainLines(path)


def lines_of(frame: Frame) -> Iterator[tuple[Place, bytes]]:
    """The lines of a frame; the last one may lack its end."""
    start = 0
    while start < len(frame.text):
        end = frame.text.find(b"\n", start)
        end = len(frame.text) if end < 0 else end + 1
        yield Place(frame.offset, start, end - start), frame.text[start:end]
        start = end


class PlainLines:
    """Lines that are not compressed."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def frames(self) -> Iterator[Frame]:
        """A frame a line."""
        offset = 0
        with self._path.open("rb") as file:
            for line in file:
                yield Frame(offset, line, whole=is_whole(line))
                offset += len(line)

    def line(self, place: Place) -> bytes:
        """One line, read from the file."""
        with self._path.open("rb") as file:
            file.seek(place.frame)
            return file.read(place.length)


class CompressedLines:
    """Lines in zstd frames. The frames that were read last are kept unpacked."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept: OrderedDict[int, bytes] = OrderedDict()

    def frames(self) -> Iterator[Frame]:
        """All frames, unpacked one by one."""
        offset = 0
        size = self._path.stat().st_size
        while offset < size:
            frame, end = self._unpack(offset)
            yield frame
            offset = end

    def line(self, place: Place) -> bytes:
        """One line, cut out of its frame."""
        text = self._kept.get(place.frame)
        if text is None:
            text = self._kept[place.frame] = self._unpack(place.frame)[0].text
        self._kept.move_to_end(place.frame)
        while len(self._kept) > _FRAMES_KEPT:
            self._kept.popitem(last=False)
        return text[place.start : place.start + place.length]

    def _unpack(self, offset: int) -> tuple[Frame, int]:
        """The frame at ``offset``, and where the next one begins."""
        unpacking = zstandard.ZstdDecompressor().decompressobj()
        parts: list[bytes] = []
        end = offset
        with self._path.open("rb") as file:
            file.seek(offset)
            while not unpacking.eof and (chunk := file.read(_CHUNK)):
                parts.append(self._unpacked(unpacking, chunk, offset))
                end += len(chunk)
                if sum(map(len, parts)) > _LARGEST_FRAME and b"\n" in parts[0]:
                    raise CassetteError(self._too_large())
        end -= len(unpacking.unused_data)
        return Frame(offset, b"".join(parts), whole=unpacking.eof), end

    def _unpacked(self, unpacking: "zstandard.ZstdDecompressionObj", chunk: bytes, offset: int) -> bytes:
        try:
            return unpacking.decompress(chunk)
        except zstandard.ZstdError as error:
            what = "is not compressed with zstd" if offset == 0 else f"is damaged from byte {offset:,} on"
            raise CassetteError(
                f"{self._path} {what} ({error}). A cassette whose name ends in .zst is; "
                f"name a plain one *.jsonl, or record it again"
            ) from error

    def _too_large(self) -> str:
        return (
            f"{self._path}: its lines are compressed in one piece, from which single ones cannot be read; "
            f"unpack it with 'zstd -d' and use the plain .jsonl file"
        )
