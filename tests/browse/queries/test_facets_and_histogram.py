"""Facets, histogram and known values agree with the rows that choosing them leaves."""

import duckdb
import pytest

from heams.browse.filters import parse, with_range, with_term, without
from heams.browse.queries import Facet, Metric, Selection, facets, histogram, known_values, sample_page
from heams.browse.queries.page import counted_keys
from heams.reporting.tables import Tables


def _total(tables: Tables, metric: Metric, text: str) -> int:
    return counted_keys(tables, Selection(metric, parse(text)), (), 1)[1]


def _facets(tables: Tables, metric: Metric, text: str, most: int = 20) -> dict[str, Facet]:
    return {facet.name: facet for facet in facets(tables, Selection(metric, parse(text)), most)}


@pytest.mark.parametrize(
    "text", ["", "verdict:fail", "verdict:fail,partial tag.kind:place", "-outcome:scored", 'tag."my tag":1 value<1']
)
def test_counts_are_the_rows_that_a_value_would_leave(tables: Tables, f1: Metric, text: str) -> None:
    found = _facets(tables, f1, text)
    assert list(found) == [
        name
        for name in ("verdict", "outcome", "criterion", 'tag."my tag"', "tag.criterion", "tag.kind", "history")
        if name in found
    ]
    for facet in found.values():
        for value in facet.values:
            assert value.count == _total(tables, f1, with_term(without(text, facet.name), facet.name, value.value))


def test_a_facet_lists_what_else_could_be_chosen(tables: Tables, f1: Metric) -> None:
    found = _facets(tables, f1, 'verdict:fail,pass tag.kind:"TWO Words"')
    assert found["verdict"].chosen == ("pass", "fail")
    assert len(found["verdict"].values) > 1
    assert found["tag.kind"].chosen == ("two words",)
    assert [value.value.lower() for value in found["tag.kind"].values].count("two words") == 1
    assert len(found["tag.kind"].values) > 1


def test_long_facets_say_how_many_more_and_keep_what_is_chosen(tables: Tables, f1: Metric) -> None:
    facet = _facets(tables, f1, 'history:"sample s7"', most=2)["history"]
    assert facet.chosen == ("sample s7",)
    assert len(facet.values) == 3
    histories = {row.history for row in sample_page(tables, Selection(f1)).rows}
    assert facet.more == len(histories) - 3


def test_chosen_values_that_nothing_has_can_be_taken_back(tables: Tables, f1: Metric) -> None:
    found = _facets(tables, f1, "tag.gone:x verdict:unsupported")
    assert [(value.value, value.count) for value in found["tag.gone"].values] == [("x", 0)]
    assert ("unsupported", 0) in [(value.value, value.count) for value in found["verdict"].values]


def test_verdicts_are_listed_in_their_own_order(tables: Tables, f1: Metric) -> None:
    values = [value.value for value in _facets(tables, f1, "")["verdict"].values]
    assert values == ["pass", "partial", "fail", "unscored", "error", "skipped"]


@pytest.mark.parametrize("bins", [1, 20])
def test_bins_hold_the_rows_that_their_range_finds(tables: Tables, f1: Metric, bins: int) -> None:
    found = histogram(tables, Selection(f1, parse("repeat:1 value>2")), bins)
    assert len(found.bins) == bins
    assert (found.bins[0].low, found.bins[-1].high) == (0, 1)
    for one in found.bins:
        text = with_range("repeat:1", "value", one.low, one.high, closed=one is found.bins[-1])
        assert one.count == _total(tables, f1, text)
    assert found.n == sum(one.count for one in found.bins) == _total(tables, f1, "repeat:1 -value:none")
    assert found.without_value == _total(tables, f1, "repeat:1 value:none")


def test_the_last_bin_ends_at_the_highest_score() -> None:
    with Tables(duckdb.connect()) as own:
        own.rows("CREATE TABLE records AS SELECT 'scored' AS outcome, unnest([1e-9, 7.25]) AS contribution")
        found = histogram(own, Selection(None))
    assert (found.bins[0].low, found.bins[-1].high) == (1e-9, 7.25)


def test_a_histogram_of_nothing_is_empty(tables: Tables, f1: Metric) -> None:
    assert histogram(tables, Selection(f1, parse("nowhere"))).bins == ()
    assert histogram(tables, Selection(f1, parse("outcome:skipped"))).without_value > 0


def test_known_values_have_counts(tables: Tables, f1: Metric) -> None:
    known = known_values(tables, Selection(f1))
    counts = {value.value: value.count for value in known.fields["status"]}
    assert counts == {"completed": 21, "error": 3}
    assert [value.value for value in known.tags["criterion"]] == ["recall"]
    assert sum(value.count or 0 for value in known.tags["my tag"]) == 24
