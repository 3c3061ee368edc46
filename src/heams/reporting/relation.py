"""Evaluation records of many experiments as one DuckDB relation."""

from collections.abc import Sequence
from secrets import token_hex
from typing import TYPE_CHECKING

from heams.reporting.line_source import connect, execute_on_lines

if TYPE_CHECKING:
    import duckdb

    from heams.reporting.load import ExperimentResults

_RECORDS_TYPE = (
    "STRUCT(step_index BIGINT, evaluator VARCHAR, metric VARCHAR, outcome VARCHAR, value DOUBLE, passed BOOLEAN, "
    "expected VARCHAR, observed VARCHAR, reason VARCHAR, tags MAP(VARCHAR, VARCHAR))[]"
)
_COLUMNS = {
    "run_id": "VARCHAR",
    "sample_id": "VARCHAR",
    "repeat": "BIGINT",
    "attempt": "BIGINT",
    "status": "VARCHAR",
    "history_id": "VARCHAR",
    "timings": "STRUCT(total DOUBLE)",
    "records": _RECORDS_TYPE,
}
_FLAT = """
    INSERT INTO {table}
    SELECT $experiment, $agent, $memory_system, $benchmark, run_id, sample_id, repeat, attempt, status, history_id,
           timings.total, unnest(records, recursive := true)
    FROM (
        SELECT * REPLACE (coalesce(repeat, 0) AS repeat, coalesce(attempt, 1) AS attempt) FROM {lines}
        WHERE run_id = $run_id
        QUALIFY row_number() OVER (PARTITION BY sample_id, repeat ORDER BY attempt DESC) = 1
    )
"""
_TABLE = """
    CREATE TEMP TABLE {table} (
        experiment VARCHAR, agent VARCHAR, memory_system VARCHAR, benchmark VARCHAR, run_id VARCHAR, sample_id VARCHAR,
        repeat BIGINT, attempt BIGINT, status VARCHAR, history_id VARCHAR, seconds DOUBLE, step_index BIGINT,
        evaluator VARCHAR, metric VARCHAR, outcome VARCHAR, value DOUBLE, passed BOOLEAN, expected VARCHAR,
        observed VARCHAR, reason VARCHAR, tags MAP(VARCHAR, VARCHAR)
    )
"""


def records_relation(
    experiments: "Sequence[ExperimentResults]", connection: "duckdb.DuckDBPyConnection | None" = None
) -> "duckdb.DuckDBPyRelation":
    """Load the records into a temporary table of ``connection`` (a new in-memory one by default) and return it.

    Every call makes a table of its own, so an earlier relation of the same connection keeps its rows.

    Raises:
        ResultsError: a file of results is damaged.
    """
    connection = connection or connect()
    table = f"heams_records_{token_hex(8)}"
    connection.execute(_TABLE.replace("{table}", table))
    for experiment in experiments:
        runs = experiment.directory / "runs.jsonl"
        if runs.is_file() and runs.stat().st_size:
            labels = experiment.labels
            parameters = {
                "experiment": experiment.name,
                "agent": labels.agent,
                "memory_system": labels.memory_system,
                "benchmark": labels.benchmark,
                "run_id": experiment.run_id,
            }
            statement = _FLAT.replace("{table}", table)
            execute_on_lines(connection, statement, runs, _COLUMNS, parameters, damaged=experiment.damaged_runs)
    return connection.table(table)
