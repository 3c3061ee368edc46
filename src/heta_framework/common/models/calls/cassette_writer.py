"""Appends lines to a cassette so that whatever was appended can be read after any kind of end.

Every line is handed to the operating system before ``append`` returns. A process that is killed leaves at most one
unfinished line; the next one that appends takes it away first.
"""

import errno
import json
import os
from io import FileIO
from pathlib import Path
from typing import Final, Self

import zstandard
from filelock import FileLock, Timeout

from heta_framework.common.models.calls.cassette import (
    CassetteError,
    check_header,
    header_line,
    is_compressed,
    is_whole,
    unfinished,
)
from heta_framework.common.models.calls.cassette_lines import Frame, cassette_lines, lines_of
from heta_framework.common.models.calls.notices import Say

_LEVEL: Final = 3
_FRAME_BYTES: Final = 1 << 18
"""How much text a frame holds: to read one line, all of its frame is unpacked."""
_BEGUN_BYTES: Final = 256
"""A file that holds no more than a part of a header is smaller than this."""
_COPIED_BYTES: Final = 1 << 20


class CassetteWriter:
    """Appends to one file, which no other process can do at the same time. For one thread."""

    def __init__(self, path: Path, say: Say) -> None:
        """Open or create the file.

        Raises:
            CassetteError: it is no cassette, is being written by another process, or cannot be written.
        """
        self._packer = _Packer() if is_compressed(path) else None
        self._failed = False
        self._lock = FileLock(path.with_name(f".{path.name}.lock"))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(blocking=False)
        except Timeout as error:
            raise CassetteError(f"{path} is being recorded by another process; name another file") from error
        except OSError as error:
            raise CassetteError(f"{path} cannot be written: {error.strerror or error}") from error
        try:
            self._open(path, say)
        except BaseException:
            self._lock.release()
            raise

    def _open(self, path: Path, say: Say) -> None:
        try:
            if path.exists():
                _mend(path, say)
            self._file = FileIO(path, "ab")
            self._good = self._file.seek(0, os.SEEK_END)
            if self._good == 0:
                self.append(header_line())
        except OSError as error:
            raise CassetteError(f"{path} cannot be written: {error.strerror or error}") from error

    def append(self, line: bytes) -> None:
        """Write one line, with its newline.

        Raises:
            OSError: it was not written; the file holds what was in it before, and nothing more can be appended.
        """
        if self._failed:
            raise OSError(errno.EIO, "an earlier line could not be written")
        view = memoryview(line if self._packer is None else self._packer.pack(line))
        written = len(view)
        try:
            while view:
                view = view[self._file.write(view) or 0 :]
        except OSError:
            self._failed = True
            os.ftruncate(self._file.fileno(), self._good)
            raise
        self._good += written

    def close(self) -> None:
        """Finish the file and force it to the disk.

        Raises:
            OSError: that failed; the lines are readable all the same unless the machine fails too.
        """
        try:
            if self._packer is not None and not self._failed:
                self._file.write(self._packer.finish())
            os.fsync(self._file.fileno())
        finally:
            self._file.close()
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Packer:
    """Compresses lines in frames; what it returns for a line makes that line readable."""

    def __init__(self) -> None:
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        self._frame: zstandard.ZstdCompressionObj | None = None
        self._size = 0

    def pack(self, line: bytes) -> bytes:
        """The bytes to append for ``line``."""
        if self._frame is None:
            self._frame, self._size = self._compressor.compressobj(), 0
        self._size += len(line)
        packed = self._frame.compress(line) + self._frame.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
        return packed if self._size < _FRAME_BYTES else packed + self.finish()

    def finish(self) -> bytes:
        """The bytes that end the present frame."""
        frame, self._frame = self._frame, None
        return b"" if frame is None else frame.flush(zstandard.COMPRESSOBJ_FLUSH_FINISH)


def _mend(path: Path, say: Say) -> None:
    """Make the end of the file a place to append to.

    The file is replaced by a mended copy, so that another end in the middle of this loses nothing.

    Raises:
        CassetteError: the file is no cassette.
    """
    last: Frame | None = None
    for frame in cassette_lines(path).frames():
        if frame.offset == 0:
            _check_begin(path, frame)
        last = frame
    if last is None or (last.whole and last.text.endswith(b"\n")):
        return
    kept = [line.rstrip(b"\n") + b"\n" for _, line in lines_of(last) if is_whole(line)]
    if not last.whole:
        say(unfinished(path))
    _replace_from(path, last.offset, b"".join(kept))


def _check_begin(path: Path, frame: Frame) -> None:
    """Nothing may be mended, and so replaced, that did not begin as a cassette."""
    first = next((line for _, line in lines_of(frame)), b"")
    begun = header_line().startswith(first) and path.stat().st_size <= _BEGUN_BYTES
    if not frame.whole and begun:
        return
    try:
        check_header(json.loads(first))
    except (ValueError, AttributeError) as error:
        raise CassetteError(f"{path}, line 1: not the header of a cassette: {error}; name another file") from error


def _replace_from(path: Path, offset: int, text: bytes) -> None:
    mended = path.with_name(f".{path.name}.mended")
    packed = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(text) if is_compressed(path) else text
    with path.open("rb") as old, mended.open("wb") as new:
        while (left := offset - old.tell()) > 0:
            new.write(old.read(min(left, _COPIED_BYTES)))
        new.write(packed if text else b"")
        new.flush()
        os.fsync(new.fileno())
    mended.replace(path)
