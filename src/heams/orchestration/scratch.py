"""A private folder for the files of open memories, gone with the run; what a killed run left is cleared away."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_PREFIX = ".scratch-"


@contextmanager
def scratch_folder(directory: Path) -> Iterator[Path]:
    """A new folder below ``directory``, which this process holds for itself."""
    for leftover in directory.glob(f"{_PREFIX}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    with TemporaryDirectory(prefix=_PREFIX, dir=directory, ignore_cleanup_errors=True) as folder:
        yield Path(folder)
