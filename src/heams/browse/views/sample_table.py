"""The rows of a list and their cells: texts are cut and marked, everything else is as it is."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from heams.browse.filters import Filter
from heams.browse.filters.syntax import FieldRef
from heams.browse.queries import Column, SampleRow, chosen_columns
from heams.browse.queries.rows import Cell
from heams.browse.views.excerpts import Needles, excerpt, in_common, needles
from heams.browse.views.list_state import ListState
from heams.reporting.verdicts import FAILED

_COMPARED = ("expected", "observed")
_SPENT = ("tokens", "cost")
"""Columns that are shown at first where there is anything in them."""
_LINKED = ("name", "sample")


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell of a column: its value, and its markup where that is a text. ``linked`` cells lead to the sample."""

    column: Column
    value: Cell
    text: Markup | None
    linked: bool


@dataclass(frozen=True, slots=True)
class RowView:
    """A row, where it leads, and its cells. ``failed`` rows count as 0."""

    of: SampleRow
    href: str
    failed: bool
    cells: tuple[CellView, ...]


def shown_columns(text: str, available: Sequence[Column], rows: Sequence[SampleRow]) -> tuple[Column, ...]:
    """The columns that the address names; without any the usual ones, with what was spent where something was."""
    usual = chosen_columns(text, available)
    if text:
        return usual
    spent = [name for name in _SPENT if any(row.cell(FieldRef(name)) for row in rows)]
    return (*usual, *(one for one in available if one.name in spent and one not in usual))


def row_views(
    rows: Sequence[SampleRow], columns: Sequence[Column], state: ListState, filter_: Filter
) -> tuple[RowView, ...]:
    """The rows of a page."""
    names = [column.name for column in columns]
    linked = next((name for name in _LINKED if name in names), names[0])
    marks = needles(filter_)
    return tuple(
        RowView(row, state.sample(row), row.verdict in FAILED, _cells(row, columns, linked, marks)) for row in rows
    )


def _cells(row: SampleRow, columns: Sequence[Column], linked: str, marks: Needles) -> tuple[CellView, ...]:
    texts = _texts(row, columns, marks)
    return tuple(
        CellView(column, row.cell(column.field), texts.get(column.name), column.name == linked) for column in columns
    )


def _texts(row: SampleRow, columns: Sequence[Column], marks: Needles) -> dict[str, Markup]:
    values = {column.name: row.cell(column.field) for column in columns if column.kind == "text"}
    if not row.name and "name" in values:
        values["name"] = row.sample
    found = {name: excerpt(value, marks.get(name)) for name, value in values.items() if isinstance(value, str)}
    if not any(name in marks for name in _COMPARED) and row.expected and row.observed:
        common = dict(zip(_COMPARED, in_common(row.expected, row.observed), strict=True))
        found |= {name: common[name] for name in _COMPARED if name in found}
    return found
