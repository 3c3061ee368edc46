"""Several append-only files in one folder, written in a fixed order: what is referred to before what refers to it."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from heta_framework.common.durable_lines.append_only import AppendOnlyFile


class LineFiles:
    """The line files of a folder; each is made when it gets its first line. Everything here blocks."""

    def __init__(self, directory: Path, write_order: Sequence[str]) -> None:
        self._directory = directory
        self._write_order = tuple(write_order)
        self._files: dict[str, AppendOnlyFile] = {}

    def append(self, lines: Mapping[str, Sequence[bytes]]) -> None:
        """Append lines (without newlines) by file name, file after file, each forced to the disk before the next.

        Raises:
            OSError: a write failed; its file and those after it are as they were.
        """
        for name in self._write_order:
            if lines.get(name):
                if name not in self._files:
                    self._files[name] = AppendOnlyFile(self._directory / name)
                self._files[name].append(joined(lines[name]))

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()
        self._files.clear()


def joined(lines: Iterable[bytes]) -> bytes:
    """The lines as they stand in a file, each with its newline."""
    return b"\n".join([*lines, b""])
