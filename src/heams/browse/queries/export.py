"""Writes the selected rows with all columns, a piece at a time, so that memory does not grow with their texts."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from heams.browse.filters.fields import TAG
from heams.browse.queries.columns import COLUMNS, Column, tag_columns
from heams.browse.queries.known import tag_names
from heams.browse.queries.page import counted_keys
from heams.browse.queries.rows import Cell, RowKey, SampleRow, rows_of
from heams.browse.queries.selection import Selection
from heams.browse.queries.sorting import SortKey
from heams.reporting.markdown import EMPTY, escape
from heams.reporting.tables import Tables

Layout = Literal["csv", "jsonl", "md"]
CONTENT_TYPES: Mapping[Layout, str] = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "md": "text/markdown; charset=utf-8",
}
_WINDOW = 50_000
_BATCH = 2_000


def export_rows(
    tables: Tables, selection: Selection, sort: Sequence[SortKey] = (), layout: Layout = "csv"
) -> Iterator[str]:
    """The selected rows in the order of ``sort``, as pieces of a file: a heading where the layout has one, then rows.

    ``csv`` and ``md`` have a column for each tag, ``jsonl`` has an object ``tags``. Texts are those of the tables.
    """
    columns = (*COLUMNS, *tag_columns(tag_names(tables, selection)))
    yield _HEADINGS[layout](columns)
    for keys in _windows(tables, selection, sort):
        for start in range(0, len(keys), _BATCH):
            yield _WRITERS[layout](rows_of(tables, selection, keys[start : start + _BATCH]), columns)


def _windows(tables: Tables, selection: Selection, sort: Sequence[SortKey]) -> Iterator[list[RowKey]]:
    """The keys of all rows, many at a time: each window sorts anew."""
    offset = 0
    while keys := counted_keys(tables, selection, sort, _WINDOW, offset)[0]:
        yield keys
        offset += len(keys)


def _csv(rows: Sequence[SampleRow], columns: Sequence[Column]) -> str:
    return _csv_lines([row.cell(column.field) for column in columns] for row in rows)


def _csv_heading(columns: Sequence[Column]) -> str:
    return _csv_lines([[column.name for column in columns]])


def _csv_lines(lines: Iterable[Sequence[Cell]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(_written(cells) for cells in lines)
    return text.getvalue()


def _written(cells: Sequence[Cell]) -> list[Cell]:
    return [str(cell).lower() if isinstance(cell, bool) else cell for cell in cells]


def _jsonl(rows: Sequence[SampleRow], columns: Sequence[Column]) -> str:
    plain = [column for column in columns if column.field.name != TAG]
    objects = ({column.name: row.cell(column.field) for column in plain} | {"tags": dict(row.tags)} for row in rows)
    return "".join(json.dumps(one, ensure_ascii=False, allow_nan=False) + "\n" for one in objects)


def _md(rows: Sequence[SampleRow], columns: Sequence[Column]) -> str:
    return "".join(_md_line([_md_cell(row.cell(column.field)) for column in columns]) for row in rows)


def _md_cell(cell: Cell) -> str:
    return EMPTY if cell is None or cell == "" else escape(str(cell))


def _md_heading(columns: Sequence[Column]) -> str:
    rules = ["---:" if column.kind == "number" else "---" for column in columns]
    return _md_line([escape(column.label) for column in columns]) + _md_line(rules)


def _md_line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _no_heading(columns: Sequence[Column]) -> str:
    return ""


_HEADINGS: Mapping[Layout, Callable[[Sequence[Column]], str]] = {
    "csv": _csv_heading,
    "jsonl": _no_heading,
    "md": _md_heading,
}
_WRITERS: Mapping[Layout, Callable[[Sequence[SampleRow], Sequence[Column]], str]] = {
    "csv": _csv,
    "jsonl": _jsonl,
    "md": _md,
}
