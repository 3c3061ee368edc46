"""One page of the list of samples."""

from collections.abc import Sequence
from dataclasses import dataclass

from heams.browse.queries.how_many import how_many
from heams.browse.queries.rows import RowKey, SampleRow, rows_of
from heams.browse.queries.selection import Selection, relation
from heams.browse.queries.sorting import SortKey, ordering
from heams.reporting.tables import Tables

PAGE_SIZE = 50
_KEYS = """
    WITH selected AS MATERIALIZED (SELECT {columns} FROM {source})
    SELECT position, place, (SELECT count(*) FROM selected) FROM selected
    ORDER BY {order} LIMIT $size OFFSET $offset
"""


@dataclass(frozen=True, slots=True)
class SamplePage:
    """``rows`` of page ``page`` (from 1) of ``pages``; ``total`` rows are selected."""

    rows: tuple[SampleRow, ...]
    total: int
    page: int
    size: int

    @property
    def pages(self) -> int:
        """How many pages there are, at least one."""
        return max(1, -(-self.total // self.size))

    @property
    def first(self) -> int:
        """The number of the first row, from 1; 0 where there is none."""
        return (self.page - 1) * self.size + 1 if self.rows else 0

    @property
    def last(self) -> int:
        """The number of the last row."""
        return self.first + len(self.rows) - 1 if self.rows else 0


def sample_page(
    tables: Tables, selection: Selection, sort: Sequence[SortKey] = (), page: int = 1, size: int = PAGE_SIZE
) -> SamplePage:
    """Page ``page`` (from 1; the nearest one where there is no such page) of ``size`` rows."""
    page = max(1, page)
    keys, total = counted_keys(tables, selection, sort, size, (page - 1) * size)
    if not keys and page > 1:
        last = max(1, -(-how_many(tables, selection) // size))
        return sample_page(tables, selection, sort, last, size)
    return SamplePage(tuple(rows_of(tables, selection, keys)), total, page, size)


def counted_keys(
    tables: Tables, selection: Selection, sort: Sequence[SortKey], size: int, offset: int = 0
) -> tuple[list[RowKey], int]:
    """The (position, place) of ``size`` selected rows after ``offset`` others, and how many are selected.

    The number is only known where there are such rows; else it is 0.
    """
    order = ordering(sort)
    source = relation(selection, order.sources)
    query = (
        _KEYS.replace("{columns}", order.columns).replace("{order}", order.by_columns).replace("{source}", source.sql)
    )
    window = {"size": size, "offset": offset}
    found = tables.rows(query, {**source.parameters, **order.parameters, **window})
    return [(position, place) for position, place, _ in found], int(found[0][2]) if found else 0
