"""Reads ``texts.jsonl``: an entry when it is asked for, found by its id."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from heta_framework.common.durable_lines import content_id
from heta_framework.evaluation.errors import ReportFileError
from heta_framework.evaluation.records.line_file import LineFile
from heta_framework.evaluation.records.strict_json import decode

_START = b'{"id":"'
_ID = slice(len(_START), len(_START) + 16)
_KINDS = ("text", "result", "metadata")
_CACHE_BYTES = 32_000_000
_LINE = 2_048


def entry_offsets(path: Path) -> dict[int, int]:
    """The offset of each entry's line by its id as a number. Lines that are none are passed over."""
    offsets: dict[int, int] = {}
    if not path.is_file():
        return offsets
    offset = 0
    with path.open("rb", buffering=1 << 20) as file:
        for line in file:
            if line.startswith(_START) and line.endswith(b"}\n"):
                with suppress(ValueError):
                    offsets[int(line[_ID], 16)] = offset
            offset += len(line)
    return offsets


def content_of(line: bytes, kind: str) -> Any:
    """The content of an entry's line, which is what its id says.

    Raises:
        KeyError, TypeError, ValueError: it is damaged, or of another kind.
    """
    row = decode(line)
    content, raw = row[kind], line.rstrip(b"\n")[_ID.stop + len(f'","{kind}":') : -1]
    found = content_id(content.encode() if kind == "text" else kind.encode() + raw)
    if found != row["id"]:
        raise ValueError(f"its content has the id {found}")
    return content


def is_whole(line: bytes) -> bool:
    """Whether a line is an entry as it was written."""
    for kind in _KINDS:
        with suppress(KeyError, TypeError, ValueError, AttributeError):
            content_of(line, kind)
            return True
    return False


class EntryFile:
    """The entries of a file. What was read lately is remembered, up to a bound."""

    def __init__(self, path: Path) -> None:
        self._offsets = entry_offsets(path)
        self._path = path
        self._file: LineFile | None = None
        self._cache: dict[str, Any] = {}
        self._cached_bytes = 0

    def get(self, kind: str, ref: str) -> Any:
        """The content of an entry: a text, or a mapping that must not be changed.

        Raises:
            ReportFileError: there is no such entry, or it is damaged.
        """
        found = self._cache.get(ref)
        return self._read(kind, ref) if found is None else found

    def _read(self, kind: str, ref: str) -> Any:
        try:
            line = self._lines().line_at(self._offsets[int(ref, 16)])
            content = content_of(line, kind)
        except (KeyError, ValueError, TypeError, AttributeError, FileNotFoundError):
            raise ReportFileError(
                f"{self._path}: the entry {ref!r} with a {kind}, which a case refers to, is missing or damaged"
            ) from None
        if self._cached_bytes >= _CACHE_BYTES:
            self._cache.clear()
            self._cached_bytes = 0
        self._cached_bytes += len(line)
        self._cache[ref] = content
        return content

    def _lines(self) -> LineFile:
        if self._file is None:
            self._file = LineFile(self._path, buffering=_LINE)
        return self._file
