"""Names are short, harmless and different; links stay on our own site; names of points stay apart."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heams.reporting.charts.figure import Figure
from heams.reporting.charts.label_places import Named, places
from heams.reporting.charts.links import packed, unpacked
from heams.reporting.charts.scales import Range, amount_range, close_range, score_range
from heams.reporting.charts.text import distinct, harmless, number, short


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(alphabet="ab …()1", max_size=12), max_size=8))
def test_short_names_stay_different(names: list[str]) -> None:
    found = distinct(names, 5)
    lines = {" ".join(name.split()): name for name in names}
    assert set(found) == set(names)
    assert len(set(found.values())) == len(set(names)) >= len(lines)


def test_long_names_keep_begin_and_end() -> None:
    assert short("extractive__hybrid__locomo_mini__2026", 20) == "extractive…ini__2026"
    assert len(short("x" * 500)) == 32
    assert short(" \n ") == "(no name)"


def test_what_xml_refuses_is_replaced() -> None:
    assert harmless({"a\x00": ["b\ud800", 1, None, "\u202ec"]}) == {"a\ufffd": ["b\ufffd", 1, None, "\ufffdc"]}


@pytest.mark.parametrize("path", ["/run/one?metric=a/b&page=2", "one/report.md", "/run/a%20b#top", "?a=1"])
def test_paths_of_our_own_come_out_as_they_went_in(path: str) -> None:
    assert unpacked(packed(path)) == path


@pytest.mark.parametrize(
    "path",
    ["", "//host/x", "https://host/x", "javascript:alert(1)", "data:text/html,x", "/a\\b", "/a b", "/a\nb", "\\\\h"],
)
def test_links_to_anywhere_else_are_refused(path: str) -> None:
    with pytest.raises(ValueError, match="paths of its own site"):
        packed(path)


def test_foreign_addresses_are_no_paths_of_ours() -> None:
    assert unpacked("https://vega.github.io/x") is None
    assert unpacked("https://own.invalid/?//host") is None


@pytest.mark.parametrize("name", ["", "../x", "a/b", "a.b", "a b"])
def test_a_figure_is_a_file_beside_its_report(name: str) -> None:
    with pytest.raises(ValueError, match="name of a figure"):
        Figure(name, "what is seen", lambda: None)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 200), st.floats(0, 100), st.booleans()), max_size=15))
def test_names_of_points_never_cover_each_other_or_a_point(points: list[tuple[float, float, bool]]) -> None:
    named = [Named(f"memory{place}", x, y, raised) for place, (x, y, raised) in enumerate(points)]
    found = places(named, 200, 100)
    assert not any(one.covers(other) for one, other in combinations(found, 2))
    assert not any(place.hides(point) for place in found for point in named)
    assert all(place.span[0] >= 0 and place.span[1] <= 200 and 0 <= place.y <= 100 for place in found)


def test_ranges_of_axes() -> None:
    assert score_range([0.2, 1.0]) == Range(0.0, 1.0)
    assert score_range([-1.0, 1.0]) == Range(-1.1, 1.1)
    assert close_range([0.1, 0.31]) == Range(0.0, 0.4)
    assert close_range([1.0]) == Range(0.0, 1.0)
    assert amount_range([]) == Range(0.0, 1.0)
    assert amount_range([0.0, 0.0]) == Range(0.0, 1.0)
    assert amount_range([1.0, 10.0]).kind == "linear"
    assert amount_range([1.0, 1000.0]).kind == "log"
    assert amount_range([0.0, 1.0, 1000.0]) == Range(0.0, 1500.0, "symlog", 1.0)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.just(0.0) | st.floats(1e-12, 1e9), min_size=1, max_size=6))
def test_amounts_are_within_their_axis(values: list[float]) -> None:
    found = amount_range(values)
    assert all(-1e-9 <= found.share(value) <= 1 + 1e-9 for value in values)


def test_numbers_read_like_ticks() -> None:
    assert [number(value) for value in (0.0, -0.0001, 0.5, 227.0, 1234.5678)] == ["0", "0", "0.5", "227", "1,234.568"]
