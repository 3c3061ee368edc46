"""The folder on this machine that a report's line files are in: the store's own, or one that stands in for it.

A local store's files are appended to where they are. Any other store has a temporary folder in front of it, filled from
the store at the beginning; what is appended there goes to the store in parts (`parts`).
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path

import anyio.to_thread

from heta_framework.common.stores.object.local import LocalObjectStore
from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.evaluation.records.parts import fetch_lines

CASES = "cases.jsonl"
TEXTS = "texts.jsonl"
WRITE_ORDER = (TEXTS, CASES)


class RecordFolder:
    """A folder with line files. A temporary one is removed when nobody refers to it any more."""

    def __init__(self, path: Path, *, temporary: bool) -> None:
        self.path = path
        self.is_temporary = temporary
        if temporary:
            weakref.finalize(self, shutil.rmtree, path, ignore_errors=True)

    @property
    def cases(self) -> Path:
        """The file of the cases."""
        return self.path / CASES

    @property
    def texts(self) -> Path:
        """The file of what they refer to."""
        return self.path / TEXTS


async def open_folder(objects: ObjectStoreProtocol, folder: str) -> RecordFolder:
    """The folder for the files under the key ``folder``, with what was saved there."""
    if isinstance(objects, LocalObjectStore):
        return RecordFolder(objects.path_of(f"{folder}/{CASES}").parent, temporary=False)
    path = await anyio.to_thread.run_sync(lambda: Path(tempfile.mkdtemp(prefix="heta-cases-")))
    opened = RecordFolder(path, temporary=True)
    for name in WRITE_ORDER:
        await fetch_lines(objects, f"{folder}/{name}", path / name)
    return opened
