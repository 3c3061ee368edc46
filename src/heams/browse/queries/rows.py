"""Rows of the list of samples, with everything that a column can show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from heams.browse.filters.expressions import EXPRESSIONS
from heams.browse.filters.syntax import FieldRef
from heams.browse.queries.selection import LabelKey, Selection
from heams.reporting.tables import Tables

Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class SampleRow:
    """One record. ``position`` and ``place`` identify it in the tables, ``sample``, ``repeat`` and ``step`` in URLs.

    ``value`` is the score of scored records; ``seconds``, ``tokens`` and ``cost`` (US dollars) are those of the whole
    scenario, judges included.
    """

    position: int
    place: int
    ordinal: int
    tags: Mapping[str, str]
    sample: str
    repeat: int
    step: int | None
    name: str
    evaluator: str
    metric: str
    verdict: str
    outcome: str
    passed: bool | None
    value: float | None
    expected: str | None
    observed: str | None
    reason: str | None
    criterion: str | None
    history: str
    status: str
    seconds: float | None
    tokens: int
    cost: float | None
    error: str | None
    label: str | None = None

    def cell(self, field: FieldRef) -> Cell:
        """What the row has in the column of a field."""
        if field.tag is not None:
            return self.tags.get(field.tag)
        found: Cell = getattr(self, field.name)
        return found


_OWN = {"position": "r.position", "place": "r.place", "ordinal": "r.ordinal", "tags": "r.tags", "passed": "r.passed"}
_LABEL = "label"
_SELECTED = ", ".join(
    _OWN.get(one.name) or EXPRESSIONS[one.name].sql for one in fields(SampleRow) if one.name != _LABEL
)
_ROWS = f"""
    SELECT {_SELECTED} FROM records AS r JOIN scenarios AS s ON s.position = r.position JOIN (
        SELECT unnest(CAST($positions AS BIGINT[])) AS position, unnest(CAST($places AS BIGINT[])) AS place
    ) AS wanted ON wanted.position = r.position AND wanted.place = r.place
"""  # noqa: S608 - fixed expressions
RowKey = tuple[int, int]


def rows_of(tables: Tables, selection: Selection, keys: Sequence[RowKey]) -> list[SampleRow]:
    """The rows of (position, place) ``keys``, in their order; a live run may have replaced some meanwhile."""
    parameters = {"positions": [position for position, _ in keys], "places": [place for _, place in keys]}
    found = {(row[0], row[1]): _labelled(selection, *row) for row in tables.rows(_ROWS, parameters)}
    return [found[key] for key in keys if key in found]


def _labelled(selection: Selection, *cells: Any) -> SampleRow:
    """A label is looked up here: joining the labels of thousands of records for one page takes longer than the page."""
    row = SampleRow(*cells)
    label = selection.labels.get(LabelKey(row.sample, row.repeat, row.step))
    return row if label is None or row.ordinal > 1 else replace(row, label=label)
