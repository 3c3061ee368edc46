"""What an experiment scored: per metric the mean, its interval, and everything that was left out or counted as 0.

The unit is one verdict on one step: repeats of it are averaged first, so n counts questions and not plays. Units that
share a history, or a scenario, form a cluster. Two metrics are never merged, and neither are two evaluators' verdicts
under one metric name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from heams.reporting.tables import Tables
from heta_framework.common.statistics import Summary, summarise

LLM_JUDGE = "llm_judge"
"""The evaluator whose verdicts are a language model's."""
UNITS = """
    SELECT {part} AS part, evaluator, metric, sample_id, step_index, ordinal, any_value(history) AS history,
           min(position) AS position, min(place) AS place, avg(contribution ORDER BY repeat) AS value,
           count(contribution) = 0 AND NOT bool_and(outcome = 'skipped') AS unscored,
           count(contribution) = 0 AND bool_and(outcome = 'skipped') AS skipped,
           bool_or(outcome = 'error') AS errors,
           bool_or(outcome = 'unsupported') AND NOT bool_or(outcome = 'error') AS unsupported,
           avg(CAST(coalesce(passed, false) AS TINYINT)) FILTER (contribution IS NOT NULL) AS passes,
           bool_or(passed IS NOT NULL) AS decided, arg_min(verdict, repeat) AS verdict
    FROM records WHERE {where}
    GROUP BY ALL
"""
"""One row a unit: ``passes`` is the share of its repeats with a value that passed, ``verdict`` that of the first one.

``{part}`` and ``{where}`` stand for SQL over ``records``.
"""
_GROUPS = """
    SELECT part, evaluator, metric, list(value) FILTER (value IS NOT NULL), list(history) FILTER (value IS NOT NULL),
           count(*) FILTER (unscored), count(*) FILTER (skipped), count(*) FILTER (errors),
           count(*) FILTER (unsupported)
    FROM ({units})
    GROUP BY part, evaluator, metric ORDER BY min(row(position, place)), part
"""


class Named(Protocol):
    """What has the name of a metric and that of its evaluator."""

    @property
    def evaluator(self) -> str:
        """Who gave it."""

    @property
    def metric(self) -> str:
        """What it is."""


Metric = TypeVar("Metric", bound=Named)


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """One metric of one evaluator.

    All counts are of units, like n. ``summary`` has n, mean and interval over units with a value. ``unscored`` and
    ``skipped`` count those without any value, in no repeat. ``errors`` and ``unsupported`` count those that have a 0
    for that reason in at least one repeat, each unit once.
    """

    evaluator: str
    metric: str
    summary: Summary
    unscored: int = 0
    skipped: int = 0
    errors: int = 0
    unsupported: int = 0

    @property
    def left_out(self) -> int:
        """Units that the mean does not know of."""
        return self.unscored + self.skipped

    @property
    def zeroed(self) -> int:
        """Units that the mean counts as 0, at least in one repeat."""
        return self.errors + self.unsupported


def metric_summaries(tables: Tables, where: str = "true") -> list[MetricSummary]:
    """Every metric, in the order in which evaluators gave them; ``where`` is an SQL condition on ``records``."""
    return grouped_summaries(tables, "NULL", where).get(None, [])


def grouped_summaries(
    tables: Tables, part: str, where: str = "true", parameters: Mapping[str, Any] | None = None
) -> dict[str | None, list[MetricSummary]]:
    """Every metric within each value of ``part``, an SQL expression over ``records`` that gives text or NULL."""
    units = UNITS.replace("{part}", part).replace("{where}", where)
    found: dict[str | None, list[MetricSummary]] = {}
    for group, evaluator, metric, values, histories, *counts in tables.rows(
        _GROUPS.replace("{units}", units), parameters
    ):
        summary = summarise(values or [], histories or [])
        found.setdefault(group, []).append(MetricSummary(evaluator, metric, summary, *counts))
    return found


def ordered(metrics: Sequence[Metric], first: Sequence[str]) -> list[Metric]:
    """The metrics named in ``first`` in that order, then the others as they came."""
    rank = {metric: place for place, metric in enumerate(first)}
    return sorted(metrics, key=lambda summary: rank.get(summary.metric, len(rank)))


def headline(metrics: Sequence[Metric], first: Sequence[str]) -> list[Metric]:
    """The metrics that ``first`` names, in its order, then what judges gave; all where it names none that there is.

    Whoever adds a judge to a benchmark wants to compare by it, but never without the scores that it stands beside.
    """
    chosen = [summary for summary in ordered(metrics, first) if summary.metric in first]
    judged = [summary for summary in metrics if summary.evaluator == LLM_JUDGE and summary not in chosen]
    return [*chosen, *judged] if chosen else list(metrics)


def headline_first(metrics: Sequence[MetricSummary], first: Sequence[str]) -> list[MetricSummary]:
    """Those of the headline in its order, then the others as they came."""
    chosen = headline(metrics, first)
    return [*chosen, *(summary for summary in metrics if summary not in chosen)]


def names(metrics: Sequence[MetricSummary]) -> dict[tuple[str, str], str]:
    """A short name for each (evaluator, metric): the metric, with its evaluator where two share a metric name."""
    owners: dict[str, set[str]] = {}
    for summary in metrics:
        owners.setdefault(summary.metric, set()).add(summary.evaluator)
    return {
        (summary.evaluator, summary.metric): summary.metric
        if len(owners[summary.metric]) == 1
        else f"{summary.metric} ({summary.evaluator})"
        for summary in metrics
    }
