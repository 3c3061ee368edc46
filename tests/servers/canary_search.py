"""Looks for the canary key in everything that the suite wrote or printed: files, databases, cassettes, tracebacks.

The key is in the environment of every test that talks to the local server. Whoever finds it in an artifact has found
a key that a user would have published.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import zstandard
from model_server import CANARY_KEY

if TYPE_CHECKING:
    import pytest

CANARY = CANARY_KEY.encode()
_ZSTD = b"\x28\xb5\x2f\xfd"
_SQLITE = b"SQLite format 3\0"
_CHUNK = 1 << 22


def files_with_canary(folder: Path) -> list[Path]:
    """The files below ``folder`` that hold the key, compressed or not; copies of the code that defines it aside."""
    paths = (path for path in sorted(folder.rglob("*")) if "model_server" not in path.parts)
    return [path for path in paths if _is_plain_file(path) and _holds(path)]


def _is_plain_file(path: Path) -> bool:
    try:
        return path.is_file() and not path.is_symlink()
    except OSError:
        return False


def _holds(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(16)
            if head == _SQLITE and any(CANARY in text for text in _texts_of_database(path)):
                return True
            file.seek(0)
            return CANARY in _unpacked(file.read()) if head.startswith(_ZSTD) else _in_chunks(file)
    except PermissionError:  # a test took its own rights away
        return False


def _in_chunks(file: "object") -> bool:
    tail = b""
    while chunk := file.read(_CHUNK):  # type: ignore[attr-defined]
        if CANARY in tail + chunk:
            return True
        tail = chunk[-len(CANARY) :]
    return False


def _texts_of_database(path: Path) -> Iterator[bytes]:
    """All values of all tables; a database that a test damaged gives what can be read."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 - a name from the database
                for value in row:
                    data = value.encode("utf-8", "replace") if isinstance(value, str) else value
                    if isinstance(data, bytes):
                        yield _unpacked(data) if data.startswith(_ZSTD) else data


def _unpacked(data: bytes) -> bytes:
    """What zstd frames hold, as far as they are sound."""
    found = bytearray()
    with (
        suppress(zstandard.ZstdError),
        zstandard.ZstdDecompressor().stream_reader(BytesIO(data), read_across_frames=True) as reader,
    ):
        while piece := reader.read(_CHUNK):
            found += piece
    return bytes(found)


class CanaryWatch:
    """A plugin of pytest: the run fails when a test printed the key, or left it in a file."""

    def __init__(self) -> None:
        self.printed: list[str] = []
        self.files: list[Path] = []

    def pytest_runtest_logreport(self, report: "pytest.TestReport") -> None:
        """What a test printed, logged, or showed in its traceback."""
        shown = [report.longreprtext, *(text for _, text in report.sections)]
        if report.nodeid not in self.printed and any(CANARY_KEY in text for text in shown):
            self.printed.append(report.nodeid)

    def pytest_sessionfinish(self, session: "pytest.Session") -> None:
        """Look through the folder of all ``tmp_path``."""
        factory = getattr(session.config, "_tmp_path_factory", None)
        base = getattr(factory, "_basetemp", None)
        self.files = files_with_canary(base) if base is not None else []
        if self.files or self.printed:
            session.exitstatus = 1

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """Name what was found."""
        for where in (*self.files, *self.printed):
            terminalreporter.write_line(f"CANARY KEY FOUND in {where}", red=True)
