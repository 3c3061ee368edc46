"""Folders of collections inside of a store's directory: each is there as a whole, or not at all."""

from __future__ import annotations

import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from heta_framework.common.stores.folder_names import folder_name, name_of_folder
from heta_framework.common.stores.vector.on_disk.collection import RECORDS_FILE
from heta_framework.common.stores.vector.on_disk.records import Records, Space
from heta_framework.common.stores.vector.on_disk.rows_file import RowsFile
from heta_framework.common.stores.vector.on_disk.state import rows_path

_UNFINISHED, _DROPPED = ".unfinished-", ".dropped-"  # no collection's folder begins with a dot
_FORSAKEN_AFTER_S = 3600.0


class Layout:
    """Which collections a directory holds."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def names(self) -> list[str]:
        """The names of all collections."""
        found = self._directory.glob(f"*/{RECORDS_FILE}")
        return sorted(name_of_folder(path.parent.name) for path in found if not path.parent.name.startswith("."))

    def folder(self, name: str) -> Path:
        """Where a collection is, or would be."""
        return self._directory / folder_name(name)

    def identity(self, name: str) -> tuple[int, int] | None:
        """What tells a collection from one of the same name that was made after it was dropped; None: there is none."""
        try:
            status = (self.folder(name) / RECORDS_FILE).stat()
        except FileNotFoundError:
            return None
        return status.st_dev, status.st_ino

    def make(self, name: str, space: Space) -> None:
        """Make an empty collection, unless another process was faster."""
        self._directory.mkdir(parents=True, exist_ok=True)
        beside = self._directory / f"{_UNFINISHED}{secrets.token_hex(8)}"
        beside.mkdir()
        Records.create(beside / RECORDS_FILE, space)
        RowsFile.make(rows_path(beside, 0), space.dimension).close()
        try:
            self._put_in_place(beside, name)
        except OSError:
            shutil.rmtree(beside)
            if self.identity(name) is None:
                raise

    def drop(self, name: str) -> None:
        """Remove a collection; where there is none, nothing happens."""
        beside = self._directory / f"{_DROPPED}{secrets.token_hex(8)}"
        try:
            self.folder(name).rename(beside)
        except FileNotFoundError:
            return
        for dropped in (*self._directory.glob(f"{_DROPPED}*"), *self._forsaken()):  # what killed processes left as well
            shutil.rmtree(dropped, ignore_errors=True)

    def _put_in_place(self, beside: Path, name: str) -> None:
        try:
            beside.rename(self.folder(name))
        except OSError:
            if self.identity(name) is not None or not self.folder(name).is_dir():
                raise
            self.drop(name)  # a folder without records is what is left of a damaged collection
            beside.rename(self.folder(name))

    def _forsaken(self) -> Iterator[Path]:
        """Collections whose making was cut; one that another process makes at this moment is younger."""
        for unfinished in self._directory.glob(f"{_UNFINISHED}*"):
            with suppress(FileNotFoundError):
                if time.time() - unfinished.stat().st_mtime > _FORSAKEN_AFTER_S:
                    yield unfinished
