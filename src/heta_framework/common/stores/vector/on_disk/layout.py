"""Folders of collections inside of a store's directory: each is there as a whole, or not at all."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

from heta_framework.common.stores.folder_names import folder_name, name_of_folder
from heta_framework.common.stores.vector.on_disk.collection import RECORDS_FILE
from heta_framework.common.stores.vector.on_disk.records import Records, Space
from heta_framework.common.stores.vector.on_disk.rows_file import RowsFile
from heta_framework.common.stores.vector.on_disk.state import rows_path

_UNFINISHED = ".unfinished-"  # no collection's folder begins with a dot


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
            beside.rename(self.folder(name))
        except OSError:
            shutil.rmtree(beside)
            if self.identity(name) is None:
                raise

    def drop(self, name: str) -> None:
        """Remove a collection; where there is none, nothing happens."""
        beside = self._directory / f"{_UNFINISHED}{secrets.token_hex(8)}"
        try:
            self.folder(name).rename(beside)
        except FileNotFoundError:
            return
        for unfinished in self._directory.glob(f"{_UNFINISHED}*"):  # what killed processes left as well
            shutil.rmtree(unfinished, ignore_errors=True)
