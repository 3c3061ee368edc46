"""Pages of samples: their order, their bounds, what their rows hold, and the rows around one."""

import pytest

from heams.browse.filters import parse
from heams.browse.queries import (
    COLUMNS,
    Label,
    LabelKey,
    Metric,
    Selection,
    SortError,
    chosen_columns,
    columns_text,
    parse_sort,
    sample_page,
    sort_text,
    tag_columns,
    tag_names,
)
from heams.reporting.tables import Tables

SORTS = [column.name for column in COLUMNS if column.shown] + [
    "cost",
    "passed",
    "label",
    "error",
    "tag.kind",
    'tag."my tag"',
]


def test_pages_cover_all_rows_once(tables: Tables, f1: Metric) -> None:
    sort = parse_sort("passed")
    pages = [sample_page(tables, Selection(f1), sort, page, 7) for page in range(1, 5)]
    assert [(page.first, page.last) for page in pages] == [(1, 7), (8, 14), (15, 21), (22, 24)]
    assert {page.pages for page in pages} == {4}
    assert len({(row.sample, row.repeat, row.step, row.ordinal) for page in pages for row in page.rows}) == 24


def test_pages_that_do_not_exist_are_the_nearest(tables: Tables, f1: Metric) -> None:
    assert sample_page(tables, Selection(f1), page=99, size=7).page == 4
    assert sample_page(tables, Selection(f1), page=-3, size=7).page == 1
    empty = sample_page(tables, Selection(f1, parse("nowhere")), page=5)
    assert (empty.rows, empty.total, empty.page, empty.pages, empty.first, empty.last) == ((), 0, 1, 1, 0, 0)


@pytest.mark.parametrize("name", SORTS)
def test_columns_sort_both_ways_with_missing_values_last(tables: Tables, f1: Metric, name: str) -> None:
    (key,) = parse_sort(name)
    upwards, downwards = (sample_page(tables, Selection(f1), parse_sort(text)).rows for text in (name, f"-{name}"))
    cells = [row.cell(key.field) for row in upwards]
    present = [cell for cell in cells if cell is not None]
    assert cells == present + [None] * (24 - len(present))
    assert [row.cell(key.field) for row in downwards][len(present) :] == [None] * (24 - len(present))
    if name not in ("verdict", "passed"):
        ranks = [cell.lower() if isinstance(cell, str) else cell for cell in present]
        assert ranks == sorted(ranks)


def test_all_columns_together_are_an_order(tables: Tables, f1: Metric) -> None:
    found = sample_page(tables, Selection(f1), parse_sort(columns_text(reversed(COLUMNS))))
    assert found.total == len(found.rows) == 24


def test_ties_keep_the_order_of_the_results(tables: Tables, f1: Metric) -> None:
    rows = sample_page(tables, Selection(f1), parse_sort("-metric")).rows
    assert [row.position for row in rows] == sorted(row.position for row in rows)


def test_verdicts_sort_from_good_to_bad(tables: Tables, f1: Metric) -> None:
    verdicts = [row.verdict for row in sample_page(tables, Selection(f1), parse_sort("verdict")).rows]
    assert list(dict.fromkeys(verdicts)) == ["pass", "partial", "fail", "unscored", "error", "skipped"]


@pytest.mark.parametrize("text", ["", "value", "-value,name", 'tag.kind,-tag."a, b"', "tag.a.b"])
def test_an_order_survives_being_written(text: str) -> None:
    assert sort_text(parse_sort(text)) == text


@pytest.mark.parametrize(
    ("text", "nearest"), [("vale", "value"), ("text", None), ("tag", None), ("value,,name", None), ('"', None)]
)
def test_unknown_columns_are_refused(text: str, nearest: str | None) -> None:
    with pytest.raises(SortError) as caught:
        parse_sort(text)
    if nearest:
        assert caught.value.nearest == nearest


def test_rows_hold_what_was_saved(tables: Tables, f1: Metric) -> None:
    labels: dict[LabelKey, Label] = {LabelKey("s0", 1, 1): "fail"}
    row = next(
        row for row in sample_page(tables, Selection(f1, labels=labels)).rows if (row.sample, row.repeat) == ("s0", 1)
    )
    assert (row.name, row.expected, row.observed, row.reason) == ("a_b", "paris\nFrance", "paris\nFrance", "because")
    assert (row.verdict, row.value, row.tokens, row.cost, row.seconds) == ("partial", 0.15, 2, 0.1, 0.25)
    assert (row.tags, row.label, row.history, row.criterion) == (
        {"kind": "place", "my tag": "1"},
        "fail",
        "sample s0",
        None,
    )


def test_unknown_prices_are_no_cost(tables: Tables, f1: Metric) -> None:
    costs = {row.position: row.cost for row in sample_page(tables, Selection(f1)).rows}
    assert costs[2] is None
    assert costs[5] == 0


def test_columns_of_a_link_are_shown_as_far_as_there_are(tables: Tables, f1: Metric) -> None:
    available = (*COLUMNS, *tag_columns(tag_names(tables, Selection(f1))))
    chosen = chosen_columns('tag."my tag",gone,value', available)
    assert [column.name for column in chosen] == ['tag."my tag"', "value"]
    assert chosen_columns(columns_text(available), available) == available
    assert chosen_columns("gone", available) == tuple(column for column in available if column.shown)
