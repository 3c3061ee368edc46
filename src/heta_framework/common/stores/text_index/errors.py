"""What can go wrong below a text index, told without the engine's own words first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class TextIndexError(RuntimeError):
    """An index cannot be opened or written: another process writes to it, or its files are damaged."""


@contextmanager
def explained(folder: Path | None) -> Iterator[None]:
    """Turn tantivy's errors, all of them ValueError, into `TextIndexError`."""
    where = str(folder) if folder else "memory"
    try:
        yield
    except ValueError as error:
        if "LockBusy" in str(error):
            raise TextIndexError(f"the text index in {where} is being written by another process") from error
        raise TextIndexError(
            f"the text index in {where} cannot be used ({error}); drop it and build it again"
        ) from error
