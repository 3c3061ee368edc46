"""Puts the verdicts of two experiments side by side: same sample, same step, same place among verdicts of the step.

Repeats are averaged first, as everywhere in reports. Where a side has no value there is no pair, and it is counted why.
Rows travel between the two databases in files, so that nothing but the pairs of one metric is ever held in Python.
"""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from heams.criteria import CRITERION
from heams.reporting.compare.metric_choice import MetricKey
from heams.reporting.compare.pairs import Pairs
from heams.reporting.compare.side import Side
from heams.reporting.line_source import connect
from heams.reporting.metrics import UNITS
from heams.reporting.tag_tables import value_of

if TYPE_CHECKING:
    import duckdb

_WHERE = "evaluator = $evaluator AND metric = $metric"
_EXPORT = "COPY (FROM ({units})) TO '{file}' (FORMAT parquet)"
_FAILED = """
    SELECT DISTINCT sample_id FROM scenarios WHERE status = 'error'
    AND sample_id NOT IN (SELECT sample_id FROM records WHERE evaluator = $evaluator AND metric = $metric)
"""
_JOINED = """
    CREATE TABLE joined AS
    SELECT coalesce(a.sample_id, b.sample_id) AS sample_id, coalesce(a.step_index, b.step_index, -1) AS step_index,
           coalesce(a.ordinal, b.ordinal) AS ordinal, a.value AS value_a, b.value AS value_b,
           a.passes AS passes_a, b.passes AS passes_b, coalesce(a.decided, false) AS decided_a,
           coalesce(b.decided, false) AS decided_b, a.verdict AS verdict_a, b.verdict AS verdict_b,
           a.position AS position_a, b.position AS position_b, a.place AS place, coalesce(a.part, b.part) AS tag,
           CASE WHEN starts_with(b.history, 'history ') AND NOT starts_with(a.history, 'history ') THEN b.history
                ELSE a.history END AS cluster,
           CASE WHEN a.sample_id IS NULL AND list_contains($failed_a, b.sample_id)
                     THEN 'failed in A without a verdict'
                WHEN b.sample_id IS NULL AND list_contains($failed_b, a.sample_id)
                     THEN 'failed in B without a verdict'
                WHEN a.sample_id IS NULL THEN 'only in B'
                WHEN b.sample_id IS NULL THEN 'only in A'
                WHEN a.value IS NULL AND b.value IS NULL AND a.skipped = b.skipped
                     THEN CASE WHEN a.skipped THEN 'skipped' ELSE 'unscored' END || ' in both'
                WHEN a.value IS NULL AND b.value IS NULL
                     THEN CASE WHEN a.skipped THEN 'skipped' ELSE 'unscored' END || ' in A and '
                          || CASE WHEN b.skipped THEN 'skipped' ELSE 'unscored' END || ' in B'
                WHEN a.value IS NULL THEN CASE WHEN a.skipped THEN 'skipped' ELSE 'unscored' END || ' in A'
                WHEN b.value IS NULL THEN CASE WHEN b.skipped THEN 'skipped' ELSE 'unscored' END || ' in B'
           END AS why
    FROM read_parquet($file_a) a FULL JOIN read_parquet($file_b) b
    ON a.sample_id = b.sample_id AND a.ordinal = b.ordinal AND a.step_index IS NOT DISTINCT FROM b.step_index
"""
_PAIRS = """
    SELECT sample_id, CAST(step_index AS BIGINT) AS step_index, CAST(ordinal AS BIGINT) AS ordinal, value_a, value_b,
           CASE WHEN decided_a OR decided_b THEN passes_a ELSE CAST('nan' AS DOUBLE) END AS passes_a,
           CASE WHEN decided_a OR decided_b THEN passes_b ELSE CAST('nan' AS DOUBLE) END AS passes_b,
           verdict_a, verdict_b, CAST(position_a AS BIGINT) AS position_a, CAST(position_b AS BIGINT) AS position_b,
           tag, cluster
    FROM joined WHERE why IS NULL ORDER BY position_a, place
"""
_UNPAIRED = "SELECT why, count(*) FROM joined WHERE why IS NOT NULL GROUP BY why ORDER BY why"
_MISSING = """
    SELECT count(*) FILTER (position_b IS NULL), count(*) FILTER (position_a IS NULL) FROM joined
"""


@dataclass(frozen=True, slots=True)
class Paired:
    """The pairs, how many verdicts have no partner at all on the other side, and why verdicts are in no pair."""

    pairs: Pairs
    only_in_a: int
    only_in_b: int
    left_out: Mapping[str, int]


def paired(a: Side, b: Side, key: MetricKey, by: str | None = None) -> Paired:
    """The pairs of one metric; ``by`` is the tag whose value each pair carries.

    Raises:
        ResultsError: a database cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="heams-compare-") as folder, connect() as connection:
        parameters: dict[str, Any] = {}
        for letter, side in (("a", a), ("b", b)):
            parameters[f"file_{letter}"] = str(_exported(side, key, by, Path(folder) / f"{letter}.parquet"))
            parameters[f"failed_{letter}"] = [sample for (sample,) in side.tables.rows(_FAILED, key._asdict())]
        connection.execute(_JOINED, parameters)
        only_in_a, only_in_b = connection.execute(_MISSING).fetchall()[0]
        left_out = dict(connection.execute(_UNPAIRED).fetchall())
        return Paired(_pairs(connection), only_in_a, only_in_b, left_out)


def _exported(side: Side, key: MetricKey, by: str | None, file: Path) -> Path:
    units = UNITS.replace("{part}", "NULL::VARCHAR" if by is None else value_of(by)).replace("{where}", _WHERE)
    quoted = str(file).replace("'", "''")
    parameters = key._asdict() if by in (None, CRITERION) else key._asdict() | {"tag": by}
    side.tables.rows(_EXPORT.replace("{units}", units).replace("{file}", quoted), parameters)
    return file


def _pairs(connection: "duckdb.DuckDBPyConnection") -> Pairs:
    columns: dict[str, Any] = connection.execute(_PAIRS).fetchnumpy()
    plain = {name: _filled(column) for name, column in columns.items()}
    return Pairs(plain, _higher_is_better(plain))


def _filled(column: Any) -> Any:
    """A column without a mask: what is missing becomes NaN among numbers, and None among texts."""
    if not isinstance(column, np.ma.MaskedArray):
        return column
    missing: Any = None if column.dtype == object else np.nan
    return np.where(np.ma.getmaskarray(column), missing, np.ma.getdata(column))


def _higher_is_better(columns: Mapping[str, Any]) -> bool:
    """Rates of leaks pass where they are low: what evaluators call passed tells the direction of a metric."""
    values = np.concatenate([columns["value_a"], columns["value_b"]])
    passes = np.concatenate([columns["passes_a"], columns["passes_b"]])
    scored = ~np.isin(np.concatenate([columns["verdict_a"], columns["verdict_b"]]), ["error", "unsupported"])
    passed, failed = values[scored & (passes > 0.5)], values[scored & (passes <= 0.5)]
    return not (passed.size and failed.size) or bool(passed.mean() >= failed.mean())
