"""What can go wrong below a text index, told without the engine's own words first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class TextIndexError(RuntimeError):
    """An index cannot be opened or written: another process writes to it, or its files are damaged."""


class DamagedIndexError(TextIndexError):
    """The files of an index are damaged; it can be dropped and filled again."""


_SIGNS_OF_DAMAGE = ("corrupt", "filedoesnotexist", "invaliddata", "unexpectedeof", "decompressed")


@contextmanager
def explained(folder: Path | None) -> Iterator[None]:
    """Turn tantivy's errors, all of them ValueError, into `TextIndexError`."""
    where = str(folder) if folder else "memory"
    try:
        yield
    except ValueError as error:
        if "LockBusy" in str(error):
            raise TextIndexError(f"the text index in {where} is being written by another process") from error
        if _is_damage(error):
            raise damaged(where, error) from error
        raise TextIndexError(f"the text index in {where} cannot be used ({error})") from error


def damaged(where: object, why: object) -> DamagedIndexError:
    """The error of an index that cannot be read any more."""
    return DamagedIndexError(f"the text index in {where} cannot be used ({why}); drop it and build it again")


def _is_damage(error: Exception) -> bool:
    return any(sign in str(error).lower() for sign in _SIGNS_OF_DAMAGE)
