"""Exported rows: the filter, the order and all columns, in every layout."""

import csv
import io
import json

import pytest

from heams.browse.filters import parse
from heams.browse.queries import COLUMNS, Metric, Selection, export_rows, parse_sort, sample_page
from heams.reporting.tables import Tables


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several windows and batches also for few rows."""
    monkeypatch.setattr("heams.browse.queries.export._WINDOW", 7)
    monkeypatch.setattr("heams.browse.queries.export._BATCH", 3)


def test_csv_has_a_column_for_each_field_and_tag(tables: Tables, f1: Metric) -> None:
    selection, sort = Selection(f1, parse("-verdict:pass")), parse_sort("-value,name")
    rows = list(csv.DictReader(io.StringIO("".join(export_rows(tables, selection, sort, "csv")), newline="")))
    page = sample_page(tables, selection, sort)
    assert [(row["sample"], row["repeat"]) for row in rows] == [(row.sample, str(row.repeat)) for row in page.rows]
    assert list(rows[0]) == [*(column.name for column in COLUMNS), "tag.criterion", "tag.kind", 'tag."my tag"']
    assert [row["observed"] for row in rows] == [row.observed or "" for row in page.rows]
    assert {row["passed"] for row in rows} == {"", "false"}


def test_jsonl_keeps_types_and_tags(tables: Tables, f1: Metric) -> None:
    rows = [json.loads(line) for line in "".join(export_rows(tables, Selection(f1), (), "jsonl")).splitlines()]
    assert [row["value"] for row in rows] == [row.value for row in sample_page(tables, Selection(f1)).rows]
    assert rows[1]["tags"] == {"kind": "place", "my tag": "1"}
    assert list(rows[0]) == [*(column.name for column in COLUMNS), "tags"]


def test_markdown_is_one_line_a_row_whatever_texts_hold(tables: Tables, f1: Metric) -> None:
    lines = "".join(export_rows(tables, Selection(f1), (), "md")).splitlines()
    assert len(lines) == 2 + 24
    assert {line.count(" | ") for line in lines} == {len(COLUMNS) + 2}


@pytest.mark.parametrize(("layout", "lines"), [("csv", 1), ("jsonl", 0), ("md", 2)])
def test_nothing_selected_is_a_heading_alone(tables: Tables, f1: Metric, layout: str, lines: int) -> None:
    found = "".join(export_rows(tables, Selection(f1, parse("nowhere")), (), layout))  # type: ignore[arg-type]
    assert len(found.splitlines()) == lines
