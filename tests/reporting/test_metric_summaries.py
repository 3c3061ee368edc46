"""Means, n and left-out counts, against numbers worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from heams.reporting.load import load_results
from heams.reporting.metrics import (
    MetricSummary,
    grouped_summaries,
    headline,
    headline_first,
    metric_summaries,
    names,
    ordered,
)
from heams.reporting.tables import ExperimentTables
from heta_framework.common.statistics import Summary

Begin = Callable[..., Any]
Record = Callable[..., Any]


def _summaries(folder: Any) -> dict[str, MetricSummary]:
    (results,) = load_results(folder.directory).experiments
    with ExperimentTables(results) as tables:
        return {summary.metric: summary for summary in metric_summaries(tables)}


def test_errors_and_unsupported_count_as_zero_and_unscored_and_skipped_are_left_out(
    experiment: Begin, record: Record
) -> None:
    one = experiment()
    one.add("a", record(1.0))
    one.add("b", record(0.5))
    one.add("c", record(outcome="error"))
    one.add("d", record(outcome="unsupported"))
    one.add("e", record(outcome="unscored"))
    one.add("f", record(outcome="skipped"))
    f1 = _summaries(one)["f1"]
    assert (f1.summary.n, f1.summary.mean) == (4, 1.5 / 4)
    assert (f1.unscored, f1.skipped, f1.errors, f1.unsupported) == (1, 1, 1, 1)
    assert (f1.left_out, f1.zeroed) == (2, 2)


def test_repeats_are_averaged_before_questions_are(experiment: Begin, record: Record) -> None:
    one = experiment()
    for repeat, value in enumerate([1.0, 1.0, 1.0, 0.0]):
        one.add("a", record(value), repeat=repeat)
    one.add("b", record(0.0))
    f1 = _summaries(one)["f1"]
    assert (f1.summary.n, f1.summary.mean) == (2, 0.375)  # and not 3 / 5


def test_a_repeat_without_a_value_does_not_pull_its_question_down(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0), repeat=0)
    one.add("a", record(outcome="unscored"), repeat=1)
    f1 = _summaries(one)["f1"]
    assert (f1.summary.n, f1.summary.mean, f1.unscored) == (1, 1.0, 0)


def test_what_is_left_out_counts_questions_and_not_their_repeats(experiment: Begin, record: Record) -> None:
    one = experiment(settings={"repeats": 3})
    for repeat in range(3):
        for number in range(7):
            one.add(f"q{number}", record(1.0), repeat=repeat)
        one.add("without label", record(outcome="unscored"), repeat=repeat)
        one.add("skipped", record(outcome="skipped"), repeat=repeat)
    f1 = _summaries(one)["f1"]
    assert (f1.summary.n, f1.unscored, f1.skipped, f1.left_out) == (7, 1, 1, 2)


def test_a_question_counts_as_zeroed_once(experiment: Begin, record: Record) -> None:
    one = experiment()
    for repeat, outcome in enumerate(["error", "unsupported", "error"]):
        one.add("a", record(outcome=outcome), repeat=repeat)
        one.add(
            "b", record(outcome="unsupported" if repeat else "scored", value=None if repeat else 1.0), repeat=repeat
        )
    f1 = _summaries(one)["f1"]
    assert (f1.summary.n, f1.errors, f1.unsupported, f1.zeroed, f1.left_out) == (2, 1, 1, 2, 0)


def test_only_the_last_attempt_counts(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(outcome="error"), status="error", attempt=1)
    one.add("a", record(1.0), attempt=2)
    one.add("b", record(0.0), attempt=3)
    one.add("b", record(1.0), attempt=2)  # written later, but an earlier attempt
    f1 = _summaries(one)["f1"]
    assert (f1.summary.n, f1.summary.mean, f1.errors) == (2, 0.5, 0)


def test_lines_of_other_runs_do_not_count(experiment: Begin, record: Record) -> None:
    old = experiment(run_id="20250101T000000000Z-aaaaaa")
    old.add("a", record(1.0))
    new = experiment(run_id="20260101T000000000Z-bbbbbb")
    new.add("a", record(0.0))
    assert _summaries(new)["f1"].summary.mean == 0.0


def test_questions_about_one_history_are_clustered(experiment: Begin, record: Record) -> None:
    one = experiment()
    for history in range(4):
        for question in range(5):
            one.add(f"{history}-{question}", record(float(history % 2)), history_id=f"h{history}")
    interval = _summaries(one)["f1"].summary.interval
    assert interval is not None
    assert interval.method == "clustered bootstrap"


def test_questions_on_their_own_have_wilsons_interval(experiment: Begin, record: Record) -> None:
    one = experiment()
    for number in range(10):
        one.add(f"q{number}", record(float(number < 5)))
    interval = _summaries(one)["f1"].summary.interval
    assert interval is not None
    assert interval.method == "wilson"
    assert (interval.low, interval.high) == (pytest.approx(0.2366, abs=1e-4), pytest.approx(0.7634, abs=1e-4))


def test_steps_of_one_scenario_are_one_cluster(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("stream", *(record(float(step % 2), step_index=step) for step in range(6)))
    f1 = _summaries(one)["f1"]
    assert (f1.summary.n, f1.summary.mean, f1.summary.interval) == (6, 0.5, None)
    assert f1.summary.reason == "all values come from one cluster"


def test_several_verdicts_on_one_step_are_several_units(experiment: Begin, record: Record) -> None:
    one = experiment()
    for repeat in (0, 1):
        one.add("a", record(1.0, tags={"item": "1"}), record(0.0, tags={"item": "2"}), repeat=repeat)
    f1 = _summaries(one)["f1"]
    assert (f1.summary.n, f1.summary.mean) == (2, 0.5)


def test_two_evaluators_with_one_metric_name_are_not_merged(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0), record(0.0, evaluator="other"))
    (results,) = load_results(one.directory).experiments
    with ExperimentTables(results) as tables:
        found = metric_summaries(tables)
    assert [(summary.evaluator, summary.summary.mean) for summary in found] == [("judge", 1.0), ("other", 0.0)]
    assert list(names(found).values()) == ["f1 (judge)", "f1 (other)"]


def test_metrics_stand_in_the_order_in_which_evaluators_gave_them(experiment: Begin, record: Record) -> None:
    given = [f"m{place * 7 % 20}" for place in range(20)]
    one = experiment()
    one.add("a", *(record(1.0, metric=metric, step_index=step) for step in range(9) for metric in given))
    one.add("b", *(record(1.0, metric=metric) for metric in reversed(given)))
    assert list(_summaries(one)) == given


def test_groups_hold_their_own_numbers(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0, tags={"category": "x"}))
    one.add("b", record(0.0, tags={"category": "x"}))
    one.add("c", record(0.25, tags={"category": "y"}))
    one.add("d", record(0.75))
    (results,) = load_results(one.directory).experiments
    with ExperimentTables(results) as tables:
        found = grouped_summaries(tables, "tags['category']")
    assert {group: (rows[0].summary.n, rows[0].summary.mean) for group, rows in found.items()} == {
        "x": (2, 0.5),
        "y": (1, 0.25),
        None: (1, 0.75),
    }


def test_a_line_with_a_value_that_no_mean_can_hold_is_left_out(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0))
    one.append(
        "runs.jsonl",
        f'{{"run_id": "{one.run_id}", "sample_id": "b", "status": "completed", '
        '"experiment": "one", "sample_name": "?", "started_at": "2026", "finished_at": "2026", '
        '"records": [{"evaluator": "judge", "metric": "f1", "step_index": 0, "outcome": "scored", "value": 1e999}]}\n',
    )
    f1 = _summaries(one)["f1"]
    assert (f1.summary.n, f1.summary.mean, f1.unscored) == (1, 1.0, 0)


def _named(metric: str) -> MetricSummary:
    return MetricSummary("judge", metric, Summary(0, None, None))


def test_headline_metrics_come_first_and_in_their_order() -> None:
    metrics = [_named("mrr"), _named("f1"), _named("extra")]
    assert [metric.metric for metric in ordered(metrics, ["f1", "mrr"])] == ["f1", "mrr", "extra"]
    assert [metric.metric for metric in headline(metrics, ["f1", "mrr"])] == ["f1", "mrr"]


def test_what_a_judge_gave_stands_at_the_end_of_the_headline_and_never_alone_in_it() -> None:
    judged = MetricSummary("llm_judge", "judge_strict", Summary(1, 1.0, None))
    metrics = [judged, _named("other"), _named("f1")]
    assert [metric.metric for metric in headline(metrics, ["f1"])] == ["f1", "judge_strict"]
    assert [metric.metric for metric in headline_first(metrics, ["f1"])] == ["f1", "judge_strict", "other"]
    assert headline(metrics, ["gone"]) == metrics


def test_a_headline_that_names_nothing_there_is_all_metrics() -> None:
    metrics = [_named("mrr"), _named("f1")]
    assert headline(metrics, []) == metrics
    assert headline(metrics, ["gone"]) == metrics


def test_metrics_come_in_the_order_of_the_first_scenarios_verdicts(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.add("a", record(1.0, metric="z"), record(1.0, evaluator="a", metric="b"), record(0.0, metric="a"))
    one.add("b", record(1.0, metric="0"), record(1.0, metric="a"), record(1.0, metric="z"))
    assert list(_summaries(one)) == ["z", "b", "a", "0"]
