"""The whole order of a list, to be kept in memory: going from sample to sample then sorts nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from heams.browse.queries.selection import Selection, relation
from heams.browse.queries.sorting import SortKey, ordering
from heams.reporting.tables import Tables
from heams.reporting.verdicts import FAILED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LIST = """
    WITH selected AS (SELECT {columns}, r.verdict IN {failed} AS failed FROM {source})
    SELECT position, place, failed FROM selected ORDER BY {order}
"""
_IDS = """
    SELECT position, place, sample_id, repeat, step_index, ordinal FROM records
    WHERE list_contains(CAST($positions AS BIGINT[]), position)
"""
_PLACE_BITS = 20
"""A record is one number here: its scenario's position, and its place there in the low bits."""


class ListedRow(NamedTuple):
    """A row of a list: what addresses need, and its ``place`` among the records of the sample (from 1)."""

    place: int
    sample_id: str
    repeat: int
    step_index: int | None
    ordinal: int


@dataclass(frozen=True, slots=True)
class Around:
    """The rows around one, None where there is none; ``place`` (from 1) of ``total``, None where it is not listed."""

    previous: ListedRow | None
    next: ListedRow | None
    previous_failed: ListedRow | None
    next_failed: ListedRow | None
    place: int | None
    total: int


@dataclass(frozen=True, slots=True)
class ListOrder:
    """Rows in their order: ``rows`` numbers them, ``failed`` has the indices of those that count as 0."""

    rows: "NDArray[np.int64]"
    failed: "NDArray[np.int64]"

    def around(self, tables: Tables, position: int, place: int) -> Around:
        """What is before and after a record, also where it is not in the list itself: then nothing is."""
        import numpy as np

        found = np.flatnonzero(self.rows == _number(position, place))
        if not len(found):
            return Around(None, None, None, None, None, len(self.rows))
        index = int(found[0])
        before = int(np.searchsorted(self.failed, index, side="left")) - 1
        after = int(np.searchsorted(self.failed, index, side="right"))
        wanted = (
            index - 1 if index else None,
            index + 1 if index + 1 < len(self.rows) else None,
            int(self.failed[before]) if before >= 0 else None,
            int(self.failed[after]) if after < len(self.failed) else None,
        )
        ids = self._ids(tables, {one for one in wanted if one is not None})
        previous, following, previous_failed, next_failed = (None if one is None else ids[one] for one in wanted)
        return Around(previous, following, previous_failed, next_failed, index + 1, len(self.rows))

    def _ids(self, tables: Tables, indices: set[int]) -> dict[int, ListedRow]:
        numbers = {int(self.rows[index]): index for index in indices}
        positions = sorted({number >> _PLACE_BITS for number in numbers})
        found = tables.rows(_IDS, {"positions": positions})
        return {
            numbers[number]: ListedRow(place, *identity)
            for position, place, *identity in found
            if (number := _number(position, place)) in numbers
        }


def list_order(tables: Tables, selection: Selection, sort: Sequence[SortKey]) -> ListOrder:
    """Read the order of a list."""
    import numpy as np

    order = ordering(sort)
    source = relation(selection, order.sources)
    query = _LIST
    filled = {"failed": str(FAILED), "columns": order.columns, "order": order.by_columns, "source": source.sql}
    for name, sql in filled.items():
        query = query.replace(f"{{{name}}}", sql)
    found = tables.rows(query, {**source.parameters, **order.parameters})
    rows = np.fromiter((_number(position, place) for position, place, _ in found), np.int64, len(found))
    failed = np.flatnonzero(np.fromiter((bool(one[2]) for one in found), np.bool_, len(found)))
    return ListOrder(rows, failed)


def _number(position: int, place: int) -> int:
    return (position << _PLACE_BITS) | place
