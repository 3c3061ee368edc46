"""Which id stands in which row, shared between forks until one of them writes.

The rows are append-only and every view knows how many of them are its own. The one view that owns the list appends
behind everybody else's end, which the others cannot see; a view that does not own it copies before its first write. So
a fork costs nothing, and the original never pays for having been forked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class SharedRows:
    """Row numbers of record ids, 0..n-1 in order of insertion."""

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self._ids = list(ids)
        self._row_of = {record_id: row for row, record_id in enumerate(self._ids)}
        self._length = len(self._ids)
        self._owned = True

    def __len__(self) -> int:
        return self._length

    def __contains__(self, record_id: str) -> bool:
        return self.row_of(record_id) is not None

    @property
    def owned(self) -> bool:
        """Whether this view may append; the others replace themselves by a copy first."""
        return self._owned

    def row_of(self, record_id: str) -> int | None:
        """The row of an id, or None where this view does not hold it."""
        row = self._row_of.get(record_id)
        return row if row is not None and row < self._length else None

    def id_at(self, row: int) -> str:
        """The id in a row."""
        return self._ids[row]

    def ids(self) -> list[str]:
        """All ids in order of insertion."""
        return self._ids[: self._length]

    def append(self, ids: Sequence[str]) -> None:
        """Add ids that are not held yet, behind the last row; only for the owner."""
        for record_id in ids:
            self._row_of[record_id] = len(self._ids)
            self._ids.append(record_id)
        self._length = len(self._ids)

    def rows_without(self, ids: Iterable[str]) -> list[int]:
        """The rows that stay when `ids` go; unknown ids are passed over."""
        gone = {self.row_of(record_id) for record_id in ids}
        return [row for row in range(self._length) if row not in gone]

    def fork(self) -> SharedRows:
        """A view of the rows as they are now that never sees later ones."""
        view = SharedRows.__new__(SharedRows)
        view._ids, view._row_of, view._length, view._owned = self._ids, self._row_of, self._length, False
        return view
