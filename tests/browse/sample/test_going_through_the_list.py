"""What is before and after a sample: the kept order says the same as the tables, and addresses stay within the list."""

from typing import TYPE_CHECKING, Any

import pytest

from heams.browse.filters import parse
from heams.browse.queries import Metric, SampleRow, Selection, parse_sort, sample_page
from heams.browse.queries.list_order import ListedRow, list_order
from heams.reporting.tables import Tables
from heams.reporting.verdicts import FAILED

if TYPE_CHECKING:
    from heams.browse.index import Library

CONTAINS = "metric=task_qa%2Fcontains"
_ROWS = (
    "SELECT position, place, sample_id, repeat, step_index, ordinal FROM records WHERE evaluator = $e AND metric = $m"
)


@pytest.mark.parametrize("sort", ["", "-value", "verdict,-name", "seconds"])
@pytest.mark.parametrize("words", ["", "verdict:fail", "value<1 OR sample:q1"])
def test_the_kept_order_agrees_with_the_list(library: "Library", sort: str, words: str) -> None:
    metric, keys = Metric("leak", "no_leak"), parse_sort(sort)
    with library.experiment("retention").tables() as tables:
        selection = Selection(metric, parse(words))
        order = list_order(tables, selection, keys)
        listed = sample_page(tables, selection, keys, size=1000).rows
        failed = [number for number, row in enumerate(listed) if row.verdict in FAILED]
        for number, row in list(enumerate(listed))[::3]:
            found = order.around(tables, row.position, row.place)
            before, after = [one for one in failed if one < number], [one for one in failed if one > number]
            wanted = (number - 1, number + 1, before[-1] if before else -1, after[0] if after else -1)
            assert (found.place, found.total) == (number + 1, len(listed))
            assert [_bare(one) for one in (found.previous, found.next, found.previous_failed, found.next_failed)] == [
                _identity(listed[one]) if 0 <= one < len(listed) else None for one in wanted
            ]


def test_a_row_outside_the_list_has_none_beside_it(library: "Library") -> None:
    metric = Metric("leak", "no_leak")
    with library.experiment("retention").tables() as tables:
        row = sample_page(tables, Selection(metric)).rows[0]
        found = list_order(tables, Selection(metric, parse("nowhere")), ()).around(tables, row.position, row.place)
    assert (found.previous, found.next, found.place, found.total) == (None, None, None, 0)


def _identity(row: SampleRow) -> tuple[object, ...]:
    return row.sample, row.repeat, row.step, row.ordinal


def _bare(row: ListedRow | None) -> tuple[object, ...] | None:
    return None if row is None else tuple(row[1:])


def _first(tables: Tables, metric: Metric) -> Any:
    return tables.rows(_ROWS, {"e": metric.evaluator, "m": metric.name})[0]


def test_the_order_of_an_empty_list_has_nothing_around_anything(library: "Library") -> None:
    metric = Metric("task_qa", "contains")
    with library.experiment("judged").tables() as tables:
        position, place, *_ = _first(tables, metric)
        found = list_order(tables, Selection(metric, parse("sample:nothing")), ()).around(tables, position, place)
    assert (found.place, found.total, found.next) == (None, 0, None)


def test_following_next_visits_every_row_once_in_the_order_of_the_address(page: Any) -> None:
    path, visited = f"/run/judged/sample?id=q6&repeat=0&step=0&{CONTAINS}&sort=-name&tab=costs", []
    while path:
        found = page(path)
        visited.append(found.css_first("[aria-current=page] bdi").text())
        step = found.css_first('[data-key="j"]')
        path = step.attributes["href"] if step is not None else ""
        assert not path or ("tab=costs" in path and "sort=-name" in path)
    assert visited == ["q6", "q2", "q1", "q5", "q4", "q3"]


def test_next_failed_skips_what_passed(page: Any) -> None:
    found = page(f"/run/plain__no_memory/sample?id=q1&repeat=0&step=0&{CONTAINS}")
    failed = found.css_first('[data-key="J"]')
    assert failed is not None
    assert page(failed.attributes["href"]).css_first(".lead .verdict").text() == "fail"


def test_a_filter_keeps_next_within_it(page: Any) -> None:
    found = page(f"/run/judged/sample?id=q1&repeat=0&step=0&{CONTAINS}&q=sample%3Aq1%2Cq5")
    assert "1 of 2" in found.css_first(".walk").text() or "2 of 2" in found.css_first(".walk").text()


def test_a_sample_outside_of_its_list_says_so(page: Any) -> None:
    found = page(f"/run/judged/sample?id=q1&repeat=0&step=0&{CONTAINS}&q=sample%3Aq2")
    assert "not in the list" in found.css_first(".walk").text()


def test_a_filter_that_cannot_be_read_leaves_the_sample_readable(page: Any) -> None:
    found = page(f"/run/judged/sample?id=q1&{CONTAINS}&q=verdict%3A%28")
    assert found.css_first(".notice.warn") is not None
    assert found.css_first(".triptych") is not None


def test_back_leads_to_the_list_with_its_state(page: Any) -> None:
    back = page(f"/run/judged/sample?id=q1&repeat=0&step=0&{CONTAINS}&sort=-name&columns=name&tab=json").css_first(
        '[data-key="Escape"]'
    )
    assert back.attributes["href"] == "/run/judged/samples?metric=task_qa%2Fcontains&sort=-name&columns=name"


def test_choosing_another_verdict_does_not_lose_the_place_in_the_list(page: Any) -> None:
    here = f"/run/judged/sample?id=q2&repeat=0&step=0&{CONTAINS}"
    place = page(here).css_first(".walk .muted").text()
    assert page(f"{here}&verdict=3").css_first(".walk .muted").text() == place
