"""The files below a local object store: written whole, read, removed, walked. Everything here blocks.

On ``os`` and strings, because building a Path takes longer than reading a small file.
"""
# ruff: noqa: PTH103, PTH105, PTH106, PTH108, PTH112, PTH113, PTH116, PTH120

from __future__ import annotations

import builtins
import hashlib
import itertools
import os
import secrets
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime

from heta_framework.common.stores.object.keys import INCOMING, check_key
from heta_framework.common.stores.object.protocol import ObjectInfo

_LEFT_BEHIND = 24 * 3600.0  # seconds after which a half-written object has no writer any more
_TRIES = 100
_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_here = f"{hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]}-{secrets.token_hex(8)}"
_numbers = itertools.count()


def read_file(path: str, at_most: int | None = None) -> bytes | None:
    """The content of a file; None when it is larger than `at_most`. A folder raises IsADirectoryError."""
    descriptor = os.open(path, os.O_RDONLY | _BINARY)
    try:
        size = os.fstat(descriptor).st_size
        if at_most is not None and size > at_most:
            return None
        data = os.read(descriptor, size)
        while len(data) < size and (more := os.read(descriptor, size - len(data))):
            data += more
        return data
    finally:
        os.close(descriptor)


def is_object(path: str) -> bool:
    """Whether there is a file under this path."""
    return os.path.isfile(path)


def place_file(root: str, key: str, data: bytes) -> None:
    """Write the data beside the objects and give it its name in one step."""
    staged = f"{root}/{INCOMING}/{_here}-{os.getpid()}-{next(_numbers)}"  # a fork inherits all but its process id
    try:
        _stage(staged, data)
        _rename(staged, f"{root}/{key}")
    except BaseException:
        with suppress(OSError):
            os.unlink(staged)
        raise


def delete_file(root: str, key: str) -> None:
    """Remove a file and the folders that become empty; what is not there, or is a folder, is passed over."""
    path = f"{root}/{key}"
    try:
        os.unlink(path)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return
    except PermissionError:  # what some systems say of a folder
        if os.path.isdir(path):
            return
        raise
    with suppress(OSError):  # the first folder that is not empty ends it
        for _ in range(key.count("/")):
            path = os.path.dirname(path)
            os.rmdir(path)


def remove_leftovers(root: str) -> None:
    """Remove what interrupted puts left behind: of dead processes of this machine, and of days ago."""
    before = time.time() - _LEFT_BEHIND
    with suppress(OSError), os.scandir(f"{root}/{INCOMING}") as entries:
        for entry in entries:
            with suppress(OSError):
                if entry.stat().st_mtime < before or _has_no_writer(entry.name):
                    os.unlink(entry.path)


def _has_no_writer(staged: str) -> bool:
    """Whether the process that wrote a file of this name was one of this machine and is dead; False in doubt."""
    machine, _, rest = staged.partition("-")
    pid = rest.split("-")[1:2]
    if machine != _here.partition("-")[0] or not pid or not pid[0].isdigit() or os.name != "posix":
        return False
    try:
        os.kill(int(pid[0]), 0)
    except ProcessLookupError:
        return True
    except OSError:  # it lives and is another user's
        return False
    return False


def walk(root: str, stem: str, itself: bool) -> builtins.list[ObjectInfo]:
    """Every object below the folder `stem`, and the object `stem` if `itself`, sorted by key."""
    start = f"{root}/{stem}" if stem else root
    found = builtins.list(_below(start, f"{stem}/" if stem else ""))
    if stem and itself and os.path.isfile(start):
        with suppress(FileNotFoundError):
            found.append(_info(stem, os.stat(start)))
    return sorted(found, key=lambda info: info.key)


def _stage(path: str, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY
    try:
        descriptor = os.open(path, flags, 0o666)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        descriptor = os.open(path, flags, 0o666)
    try:
        written = os.write(descriptor, data)
        while written < len(data):
            written += os.write(descriptor, memoryview(data)[written:])
    finally:
        os.close(descriptor)


def _rename(staged: str, path: str) -> None:
    for remaining in reversed(range(_TRIES)):
        try:
            os.replace(staged, path)
        except FileNotFoundError:  # no folder yet, or a delete has just removed it as empty
            if not remaining:
                raise
            with suppress(FileNotFoundError):
                os.makedirs(os.path.dirname(path), exist_ok=True)
        except IsADirectoryError:
            os.rmdir(path)  # an empty folder holds no object; any other one refuses
        else:
            return


def _below(folder: str, key_of_folder: str) -> Iterator[ObjectInfo]:
    try:
        entries = os.scandir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return
    with entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != INCOMING:
                    yield from _below(entry.path, f"{key_of_folder}{entry.name}/")
            else:
                with suppress(FileNotFoundError, ValueError):  # deleted meanwhile; a file whose name is no key
                    details = entry.stat()
                    if stat.S_ISREG(details.st_mode):
                        yield _info(check_key(f"{key_of_folder}{entry.name}"), details)


def _info(key: str, details: os.stat_result) -> ObjectInfo:
    return ObjectInfo(
        key,
        size=details.st_size,
        modified_at=datetime.fromtimestamp(details.st_mtime, UTC),
        etag=f"{details.st_mtime_ns:x}-{details.st_size:x}",
    )
