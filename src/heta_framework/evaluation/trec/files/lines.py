"""Lines of columns: read with their numbers, written as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from uuid import uuid4

from heta_framework.evaluation.trec.files.errors import TrecFileError

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers from 1, without line ends and byte order mark.

    Raises:
        TrecFileError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                content = (line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line).rstrip(b"\r\n")
                if content.strip():
                    yield number, content
    except OSError as cause:
        raise TrecFileError(path, None, f"cannot be read: {cause.strerror or cause}") from None


def decoded(path: Path, number: int, columns: Iterable[bytes]) -> list[str]:
    """The columns as text.

    Raises:
        TrecFileError: they are no UTF-8.
    """
    try:
        return [column.decode("utf-8") for column in columns]
    except UnicodeDecodeError as cause:
        raise TrecFileError(path, number, f"is no UTF-8 ({cause.reason}); expected a text file") from None


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Put the lines into the place of the file, all of them or, where something goes wrong, none. Returns their number.

    Raises:
        TrecFileError: the file cannot be written, or making a line raised a ValueError.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _replace(path, lines)
    except OSError as cause:
        raise TrecFileError(path, None, f"cannot be written: {cause.strerror or cause}") from None
    except ValueError as cause:
        raise TrecFileError(path, None, f"cannot be written: {cause}") from None


def _replace(path: Path, lines: Iterable[str]) -> int:
    temporary = path.with_name(f".{path.name}.{uuid4().hex[:8]}.tmp")
    written = 0
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            for line in lines:
                file.write(line)
                written += 1
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return written
