"""Objects as plain files: the key is the path below the root.

Not on obstore's local store, which refuses keys that end in ``#1``, needs room for a suffix in the longest file name
and takes several times as long for small objects. A small file is read or written in less time than a hop to a worker
thread takes, so small objects are served where the caller stands and large ones in a thread.
"""

from __future__ import annotations

import builtins
import errno
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anyio import to_thread
from anyio.lowlevel import checkpoint

from heta_framework.common.stores.object.errors import ObjectStoreError
from heta_framework.common.stores.object.keys import check_data, check_key, check_prefix, shown
from heta_framework.common.stores.object.local_files import (
    delete_file,
    is_object,
    place_file,
    read_file,
    remove_leftovers,
    walk,
)
from heta_framework.common.stores.object.protocol import ObjectInfo

SMALL = 64 * 1024
"""Bytes up to which an object is served without a worker thread."""

_BATCH = 256


@dataclass(frozen=True)
class LocalObjectStoreConfig:
    """Where a local object store lies."""

    root: Path | str

    def __post_init__(self) -> None:
        if not str(self.root).strip():
            raise ValueError("root must not be empty")


class LocalObjectStore:
    """An object store in a folder, which is made at the first put. Several stores and processes may share it.

    A put writes a file beside the objects and renames it: whoever is killed leaves the object of before or the object
    of after. Nothing is forced to the disk one by one, so a machine that loses power may lose its last puts.
    """

    def __init__(self, root: Path | str) -> None:
        LocalObjectStoreConfig(root)
        self._root = str(Path(root).absolute())
        self._swept = False

    def __repr__(self) -> str:
        return f"LocalObjectStore({self._root!r})"

    def path_of(self, key: str) -> Path:
        """The file that holds the object under `key`, there or not; TypeError or ValueError where it is no key."""
        return Path(self._path(check_key(key)))

    async def put(self, key: str, data: bytes) -> None:
        """Store `data` under `key`, in place of what was there.

        Raises:
            TypeError: the key is no string or the data no bytes.
            ValueError: the key breaks a rule of keys.
            ObjectStoreError: the disk refuses, or the key and another one need the same name as a file and as a folder.
        """
        check_key(key)
        check_data(data)
        await checkpoint()
        if len(data) <= SMALL:
            self._write(key, data)
        else:
            await to_thread.run_sync(self._write, key, data)

    async def get(self, key: str) -> bytes:
        """The object under `key`; FileNotFoundError where there is none."""
        check_key(key)
        await checkpoint()
        data = self._read(key, at_most=SMALL)
        return data if data is not None else await to_thread.run_sync(self._whole, key)

    async def exists(self, key: str) -> bool:
        """Whether there is an object under exactly this key."""
        path = self._path(check_key(key))
        await checkpoint()
        return is_object(path)

    async def list(self, prefix: str = "") -> builtins.list[ObjectInfo]:
        """Every object under `prefix` (``a`` holds ``a`` and ``a/b``, not ``ab``), sorted by key."""
        stem = check_prefix(prefix)
        return await to_thread.run_sync(walk, self._root, stem, not prefix.endswith("/"))

    async def delete(self, key: str) -> None:
        """Remove the object under `key` and folders that become empty; a key that is not there is passed over."""
        check_key(key)
        await checkpoint()
        self._delete(key)

    async def get_many(self, keys: Sequence[str]) -> builtins.list[bytes]:
        """The objects under these keys, in their order, with one hop to a thread for many."""
        checked = [check_key(key) for key in keys]
        found: builtins.list[bytes] = []
        for start in range(0, len(checked), _BATCH):
            found += await to_thread.run_sync(self._read_batch, checked[start : start + _BATCH])
        return found

    async def put_many(self, objects: Iterable[tuple[str, bytes]]) -> None:
        """Store all these objects, each whole or not at all, with one hop to a thread for many."""
        checked = [(check_key(key), check_data(data)) for key, data in objects]
        for start in range(0, len(checked), _BATCH):
            await to_thread.run_sync(self._write_batch, checked[start : start + _BATCH])

    async def delete_many(self, keys: Sequence[str]) -> None:
        """Remove the objects under these keys; those that are not there are passed over."""
        checked = [check_key(key) for key in keys]
        for start in range(0, len(checked), _BATCH):
            await to_thread.run_sync(self._delete_batch, checked[start : start + _BATCH])

    async def aclose(self) -> None:
        """Nothing is held between calls."""

    def _path(self, key: str) -> str:
        return f"{self._root}/{key}"

    def _read(self, key: str, at_most: int | None) -> bytes | None:
        try:
            return read_file(self._path(key), at_most)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            raise FileNotFoundError(f"there is no object {shown(key)} in {self._root}") from None
        except OSError as error:
            raise self._refusal("read", key, error) from error

    def _whole(self, key: str) -> bytes:
        return self._read(key, at_most=None) or b""

    def _write(self, key: str, data: bytes) -> None:
        if not self._swept:
            remove_leftovers(self._root)
            self._swept = True
        try:
            place_file(self._root, key, data)
        except OSError as error:
            raise self._refusal("written", key, error) from error

    def _delete(self, key: str) -> None:
        try:
            delete_file(self._root, key)
        except OSError as error:
            raise self._refusal("deleted", key, error) from error

    def _read_batch(self, keys: Sequence[str]) -> builtins.list[bytes]:
        return [self._whole(key) for key in keys]

    def _write_batch(self, objects: Sequence[tuple[str, bytes]]) -> None:
        for key, data in objects:
            self._write(key, data)

    def _delete_batch(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._delete(key)

    def _refusal(self, verb: str, key: str, error: OSError) -> ObjectStoreError:
        if error.errno in (errno.EEXIST, errno.EISDIR, errno.ENOTDIR, errno.ENOTEMPTY):
            reason = "a folder of other objects or another object is in its way; on disk a name is a file or a folder"
        else:
            reason = os.strerror(error.errno) if error.errno else str(error)
        return ObjectStoreError(f"the object {shown(key)} in {self._root} cannot be {verb}: {reason}")
