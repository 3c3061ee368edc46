"""Intervals that rest on few histories come with a caution."""

import pytest

from heams.reporting.metrics import MetricSummary
from heams.reporting.wording import few_clusters
from heta_framework.common.statistics import summarise


def _metric(histories: int, name: str = "m") -> MetricSummary:
    clusters = [str(number) for number in range(histories) for _ in range(4)]
    values = [(number % 7) / 7 for number in range(len(clusters))]
    return MetricSummary("e", name, summarise(values, clusters))


@pytest.mark.parametrize(("histories", "cautioned"), [(3, True), (9, True), (10, False), (40, False)])
def test_the_caution_names_the_smallest_number(histories: int, cautioned: bool) -> None:
    remarks = few_clusters([_metric(40), _metric(histories)])
    assert bool(remarks) is cautioned
    assert not cautioned or f"{histories} histories" in remarks[0]


def test_a_single_history_gives_no_interval_and_says_so() -> None:
    assert few_clusters([_metric(1)]) == [
        "The questions share one history, so there is no interval: another history may give another mean."
    ]


@pytest.mark.parametrize(("histories", "cautions"), [(3, 2), (40, 1)])
def test_a_metric_of_a_single_history_is_named_beside_others(histories: int, cautions: int) -> None:
    remarks = few_clusters([_metric(1, "films"), _metric(histories, "facts"), _metric(1, "films")])
    assert remarks[0].startswith("The questions of films share one history, so there is no interval")
    assert len(remarks) == cautions
    assert "The questions of the other metrics share 3 histories." in remarks[-1] or cautions == 1


def test_independent_questions_need_none() -> None:
    assert not few_clusters([MetricSummary("e", "m", summarise([0.1, 0.5, 0.7]))])
