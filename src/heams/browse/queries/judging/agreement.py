"""How often a judge and another metric came to each pair of verdicts on the same step."""

from collections.abc import Mapping
from dataclasses import dataclass

from heams.browse.queries.selection import Metric
from heams.reporting.tables import Tables

DECIDED = ("pass", "partial", "fail")
"""Verdicts that say something about the answer."""
_SAME = """
    FROM records AS j JOIN records AS o
      ON o.position = j.position AND o.step_index IS NOT DISTINCT FROM j.step_index AND o.ordinal = j.ordinal
    WHERE j.evaluator = $evaluator AND j.metric = $metric AND o.judge IS NULL
      AND j.verdict IN ('pass', 'partial', 'fail') AND o.verdict IN ('pass', 'partial', 'fail')
"""
_COUNTS = f"""
    SELECT o.evaluator, o.metric, j.verdict, o.verdict, count(*), min(o.place) {_SAME}
    GROUP BY ALL ORDER BY 6, 1, 2
"""
_CELL = f"""
    SELECT j.sample_id, j.repeat, j.step_index, j.sample_name, j.expected, j.observed, j.reason, o.reason,
           count(*) OVER () {_SAME}
      AND o.evaluator = $other_evaluator AND o.metric = $other_metric AND j.verdict = $said AND o.verdict = $other
    ORDER BY j.position, j.place LIMIT $size OFFSET $offset
"""


@dataclass(frozen=True, slots=True)
class CellRow:
    """One step that is counted in a cell; ``note`` is the other side's reason."""

    sample_id: str
    repeat: int
    step_index: int | None
    name: str
    expected: str | None
    observed: str | None
    reason: str | None
    note: str | None


def metric_agreement(tables: Tables, judged: Metric) -> dict[Metric, Mapping[tuple[str, str], int]]:
    """For each metric of others on the same steps: how often (judge's verdict, its verdict) came together."""
    found: dict[Metric, dict[tuple[str, str], int]] = {}
    asked = {"evaluator": judged.evaluator, "metric": judged.name}
    for evaluator, metric, said, other, count, _ in tables.rows(_COUNTS, asked):
        found.setdefault(Metric(evaluator, metric), {})[said, other] = count
    return dict(found)


def cell_rows(
    tables: Tables, judged: Metric, against: Metric, said: str, other: str, *, size: int, offset: int
) -> tuple[list[CellRow], int]:
    """Some of the steps with this pair of verdicts, and how many there are (0 past the last one)."""
    asked = {
        "evaluator": judged.evaluator,
        "metric": judged.name,
        "other_evaluator": against.evaluator,
        "other_metric": against.name,
        "said": said,
        "other": other,
        "size": size,
        "offset": offset,
    }
    rows = tables.rows(_CELL, asked)
    return [CellRow(*row[:-1]) for row in rows], int(rows[0][-1]) if rows else 0
