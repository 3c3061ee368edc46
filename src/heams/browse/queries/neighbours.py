"""What comes before and after a row of the list, among all rows and among failed ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from heams.browse.queries.selection import Selection, relation
from heams.browse.queries.sorting import SortKey, ordering
from heams.reporting.tables import Tables

FAILED = ("fail", "error", "unsupported")
"""Verdicts of failed rows: all that count as 0."""


class RowId(NamedTuple):
    """How URLs identify a row; ``ordinal`` (from 1) counts records of the same step, evaluator and metric."""

    sample_id: str
    repeat: int
    step_index: int | None
    ordinal: int = 1


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The rows around one, None where there is none; ``place`` (from 1) of ``total``, None where it is not selected."""

    previous: RowId | None
    next: RowId | None
    previous_failed: RowId | None
    next_failed: RowId | None
    place: int | None
    total: int


_PLACED = """
    WITH placed AS (
        SELECT *, row_number() OVER (ORDER BY {order}) AS number FROM (
            SELECT r.sample_id, r.repeat, r.step_index, r.ordinal, r.verdict IN {failed} AS failed, {columns}
            FROM {source}
        )
    ), this AS (
        SELECT min(number) AS number FROM placed
        WHERE sample_id = $id AND repeat = $row_repeat AND step_index IS NOT DISTINCT FROM $row_step
          AND ordinal = $row_ordinal
    ), near AS (
        SELECT max(placed.number) FILTER (placed.number < this.number) AS previous,
               min(placed.number) FILTER (placed.number > this.number) AS next,
               max(placed.number) FILTER (failed AND placed.number < this.number) AS previous_failed,
               min(placed.number) FILTER (failed AND placed.number > this.number) AS next_failed,
               any_value(this.number) AS number, count(*) AS total
        FROM placed, this
    )
    SELECT near.*, placed.number, sample_id, repeat, step_index, ordinal FROM near LEFT JOIN placed
    ON placed.number IN (near.previous, near.next, near.previous_failed, near.next_failed)
"""


def neighbours(tables: Tables, selection: Selection, sort: Sequence[SortKey], row: RowId) -> Neighbours:
    """The rows around ``row`` in the order of ``sort``."""
    order = ordering(sort)
    source = relation(selection, order.sources)
    filled = {"failed": str(FAILED), "columns": order.columns, "order": order.by_columns, "source": source.sql}
    query = _PLACED
    for name, sql in filled.items():
        query = query.replace(f"{{{name}}}", sql)
    of_row = {"id": row.sample_id, "row_repeat": row.repeat, "row_step": row.step_index, "row_ordinal": row.ordinal}
    found = tables.rows(query, {**source.parameters, **order.parameters, **of_row})
    ids = {row[6]: RowId(*row[7:]) for row in found if row[6] is not None}
    previous, following, previous_failed, next_failed = (ids.get(number) for number in found[0][:4])
    return Neighbours(previous, following, previous_failed, next_failed, place=found[0][4], total=found[0][5])
