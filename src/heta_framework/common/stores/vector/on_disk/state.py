"""One committed state of a collection as a search sees it, and how it becomes the next one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from heta_framework.common.stores.vector.errors import DamagedCollectionError
from heta_framework.common.stores.vector.on_disk.records import Head, Snapshot, Space
from heta_framework.common.stores.vector.on_disk.rows_file import RowsFile

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class State:
    """Rows [0, head.rows) of a generation, without the dead ones. Nothing in it changes any more.

    Attributes:
        head: which state.
        file: the rows.
        dead: one flag a row; None where every row is alive.
    """

    head: Head
    file: RowsFile
    dead: Mask | None

    @property
    def living(self) -> int:
        """How many records there are."""
        return self.head.rows - self.head.tombstones


def first_state(folder: Path, space: Space, snapshot: Snapshot) -> State:
    """The state of a snapshot, read from the files alone.

    Raises:
        DamagedCollectionError: the file of rows is shorter than what was committed.
    """
    head = snapshot.head
    path = rows_path(folder, head.generation)
    try:
        file = RowsFile(path, space.dimension)
    except FileNotFoundError:
        raise DamagedCollectionError(f"{path}: the vectors are gone; drop the collection and build it again") from None
    if len(file) < head.rows:
        raise DamagedCollectionError(
            f"{path}: holds {len(file)} of {head.rows} vectors; drop the collection and build it again"
        )
    return State(head, file, _with_dead(None, head.rows, snapshot.dead_rows(0)))


def next_state(before: State, snapshot: Snapshot) -> State:
    """The state of a snapshot of the same generation."""
    head = snapshot.head
    fresh = snapshot.dead_rows(before.head.tombstones)
    return State(head, before.file, _with_dead(before.dead, head.rows, fresh))


def all_rows_paths(folder: Path) -> list[Path]:
    """The files of vectors of whichever generation."""
    return list(folder.glob("vectors-*.f32"))


def rows_path(folder: Path, generation: int) -> Path:
    """Where the vectors of a generation are."""
    return folder / f"vectors-{generation}.f32"


def _with_dead(known: Mask | None, rows: int, fresh: list[int]) -> Mask | None:
    if known is None and not fresh:
        return None
    dead = np.zeros(rows, dtype=np.bool_)
    if known is not None:
        dead[: len(known)] = known
    dead[fresh] = True
    return dead
