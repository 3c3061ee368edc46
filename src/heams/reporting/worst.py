"""The cases that went worst under a metric: each question once, by the worst of its repeats."""

from dataclasses import dataclass

from heams.reporting.metrics import MetricSummary
from heams.reporting.tables import Tables


@dataclass(frozen=True, slots=True)
class Case:
    """One verdict, with the beginning of each text. ``position`` is that of its scenario."""

    position: int
    sample_id: str
    sample_name: str | None
    repeat: int
    step_index: int | None
    criterion: str | None
    value: float
    expected: str | None
    observed: str | None
    reason: str | None


_FAILING = "evaluator = $evaluator AND metric = $metric AND outcome = 'scored' AND passed IS NOT true"
_WORST = """
    SELECT position, sample_id, sample_name, repeat, step_index, criterion, contribution, expected, observed, reason
    FROM (
        SELECT *, row_number() OVER (PARTITION BY contribution, criterion ORDER BY position, place) AS turn
        FROM (
            SELECT * FROM records WHERE {failing} AND contribution < $best
            QUALIFY row_number() OVER (PARTITION BY sample_id, step_index ORDER BY contribution, position, place) = 1
        )
    )
    ORDER BY contribution, turn, criterion, position, place LIMIT $limit
"""


def worst_cases(tables: Tables, metric: MetricSummary, limit: int = 10) -> list[Case]:
    """Cases that did not pass, the lowest values first. Where a metric knows no pass, 1 and its best value pass.

    Cases of equal value take turns by criterion, so that one criterion does not hide the others.
    """
    named = {"evaluator": metric.evaluator, "metric": metric.metric}
    ((best, passes),) = tables.rows(
        "SELECT max(contribution), bool_or(passed) FROM records "
        "WHERE evaluator = $evaluator AND metric = $metric AND outcome = 'scored'",
        named,
    )
    if best is None:
        return []
    ceiling = float("inf") if passes is not None else max(best, 1.0)
    query = _WORST.replace("{failing}", _FAILING)
    return [Case(*row) for row in tables.rows(query, {**named, "best": ceiling, "limit": limit})]
