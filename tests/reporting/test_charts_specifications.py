"""Every builder: a valid specification that says what it shows, and None where there is nothing to show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from heams.reporting.charts import (
    Bar,
    Bin,
    Point,
    Step,
    Times,
    binned,
    confusion_chart,
    cost_scatter,
    histogram,
    interval_chart,
    latency_chart,
    learning_chart,
    pair_scatter,
    privacy_scatter,
)
from heams.reporting.charts.intervals import MOST_ROWS

_POINTS = [
    Point("plain", 0.5, 0.5),
    Point("good", 0.9, 0.8, href="/run/good"),
    Point("twin", 0.9, 0.8),
    Point("none", 0.0, 1.0, reference=True),
]
_TABLE = [[3, 1], [0, 6]]
CHARTS: dict[str, Callable[[], Any]] = {
    "intervals": lambda: interval_chart([Bar("a", 0.5, 0.4, 0.6, 9), Bar("b", 0.2, reference=True)], title="T"),
    "panels": lambda: interval_chart([Bar("a", 0.5, panel="f1"), Bar("a", 40.0, panel="words")], title="T"),
    "privacy": lambda: privacy_scatter(_POINTS, title="T", use="useful", protection="kept"),
    "cost": lambda: cost_scatter(_POINTS, title="T", metric="f1"),
    "histogram": lambda: histogram(binned([(0.0, "fail"), (1.0, "pass"), (1.0, "odd")]), title="T", metric="f1"),
    "latency": lambda: latency_chart([Times("answer", 0.002, 0.9), Times("recall", 0.001, 0.002)], title="T"),
    "pairs": lambda: pair_scatter([(0.0, 1.0), (1.0, 0.0), (1.0, 1.0)], title="T", a="x", b="y", metric="f1"),
    "confusion": lambda: confusion_chart(_TABLE, ["right", "wrong"], title="T"),
    "learning": lambda: learning_chart(
        [Step("a", "first", 0.1), Step("a", "last", 0.9, 0.8, 1.0), Step("b", "last", 0.3, reference=True)],
        title="T",
        metric="accuracy",
    ),
}


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_is_valid_and_named(name: str) -> None:
    spec = CHARTS[name]().to_dict(validate=True)
    assert spec["title"]["text"] == "T"
    assert spec["description"].startswith("T")
    assert spec["config"]["background"] == "transparent"


def test_without_data_there_is_no_chart() -> None:
    assert interval_chart([], title="T") is None
    assert privacy_scatter([], title="T", use="a", protection="b") is None
    assert cost_scatter([], title="T", metric="f1") is None
    assert histogram([], title="T", metric="f1") is None
    assert histogram([Bin(0.0, 1.0, "pass", 0)], title="T", metric="f1") is None
    assert latency_chart([], title="T") is None
    assert pair_scatter([], title="T", a="a", b="b", metric="f1") is None
    assert confusion_chart([], [], title="T") is None
    assert confusion_chart([[0, 0], [0, 0]], ["a", "b"], title="T") is None
    assert learning_chart([Step("a", "first", 0.1), Step("b", "last", 0.1)], title="T", metric="f1") is None


def test_words_say_what_is_seen() -> None:
    assert CHARTS["intervals"]().description == "T: means with 95 % intervals. highest a (0.500), lowest b (0.200)."
    assert "No competitor beats good (0.9, 0.8), twin (0.9, 0.8)." in CHARTS["privacy"]().description
    assert "useful (higher is better)" in CHARTS["privacy"]().description
    assert "cost, USD (lower is better)" in CHARTS["cost"]().description
    assert CHARTS["pairs"]().description.endswith("1 improved, 1 regressed, 1 equal.")
    assert CHARTS["confusion"]().description == "T: judge and people agree in 9 of 10 (90%)."
    assert "a from 0.100 to 0.900" in CHARTS["learning"]().description


def test_a_chart_of_very_many_rows_says_that_it_shows_the_first() -> None:
    chart: Any = interval_chart([Bar(f"memory {number}", 0.5) for number in range(MOST_ROWS + 5)], title="T")
    assert "The first 60 of 65." in chart.to_dict()["title"]["subtitle"]


def test_names_that_shorten_alike_keep_a_row_each() -> None:
    chart: Any = interval_chart([Bar(f"{'x' * 40}{middle}{'y' * 40}", 0.5) for middle in "ab"], title="T")
    (rows,) = chart.to_dict()["datasets"].values()
    assert len({dict(row)["row"] for row in rows}) == 2


def test_every_value_is_in_one_bin() -> None:
    bins = binned([(0.0, "fail"), (0.049, "fail"), (0.05, "fail"), (1.0, "pass")])
    assert [(round(found.low, 9), found.count) for found in bins] == [(0.0, 2), (0.05, 1), (0.95, 1)]
    assert sum(found.count for found in binned([(-3.0, "fail"), (7.0, "pass"), (7.0, "pass")])) == 3
