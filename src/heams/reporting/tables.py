"""One run of one experiment as DuckDB tables: read once, grouped many times.

``scenarios`` has one row per (sample_id, repeat), from the last attempt: ``position`` (which of the lines that were
read it is, from 0),
``status``, ``timings``, ``usage``, ``error``, ``questions`` (a list, one entry per question that was put:
``step_index``, ``tokens`` and ``items`` that reached the agent, items ``withheld`` by the recall budget, seconds
``waited``, keys of the first ``texts``, ids of the labelled ``evidence``).

``records`` has one row per evaluation record of the scenarios, with ``place`` (among the scenario's records) and
``ordinal`` (among those of the same step, evaluator and metric), ``contribution`` (what it adds to a mean; NULL when it
is left out), ``history`` (the cluster it belongs to), ``criterion``, ``verdict`` (see ``heams.reporting.verdicts``),
``found`` (ids of the evidence that was recalled; NULL in records that do not judge recall) and ``judge`` (what a judge
left in ``audit``; NULL in the records of others).

``spent`` has the usage of every attempt, ``final`` or not. Texts are cut to what reports show, so that memory does not
grow with the length of answers.
"""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from heams.criteria import criterion_of
from heams.reporting.line_source import connect, execute_on_lines
from heams.reporting.verdicts import VERDICT

if TYPE_CHECKING:
    import duckdb

    from heams.reporting.load import ExperimentResults

TEXT_LIMIT = 400
"""Characters that are kept of each text."""
SHOWN_TEXTS = 3
"""Recalled texts that are kept of each question."""

_COLUMNS = {
    "run_id": "VARCHAR",
    "sample_id": "VARCHAR",
    "repeat": "BIGINT",
    "attempt": "BIGINT",
    "status": "VARCHAR",
    "sample_name": "VARCHAR",
    "history_id": "VARCHAR",
    "isolation": "VARCHAR",
    "timings": "STRUCT(answer DOUBLE, recall DOUBLE, evaluate DOUBLE, total DOUBLE)",
    "usage": "MAP(VARCHAR, STRUCT(calls BIGINT, input_tokens BIGINT, output_tokens BIGINT, cached_tokens BIGINT, "
    "cost_usd DOUBLE, estimated BOOLEAN, seconds DOUBLE, retries BIGINT, possibly_billed BIGINT, cache_hits BIGINT, "
    "replayed BIGINT, saved_input_tokens BIGINT, saved_output_tokens BIGINT, saved_cost_usd DOUBLE))",
    "error": 'STRUCT(phase VARCHAR, "type" VARCHAR, message VARCHAR)',
    "transcript": 'STRUCT("index" JSON, action STRUCT("type" VARCHAR, step_evaluation_markers JSON), '
    "recalls STRUCT(tokens BIGINT[], texts JSON, withheld JSON)[], waited JSON)[]",
    "records": "STRUCT(step_index BIGINT, evaluator VARCHAR, metric VARCHAR, outcome VARCHAR, value DOUBLE, "
    "passed BOOLEAN, expected VARCHAR, observed VARCHAR, reason VARCHAR, tags MAP(VARCHAR, VARCHAR), "
    "audit JSON)[]",
}
"""What is read as JSON only explains other numbers: where it has another type than usual, it counts as missing."""
_LINES = """
    CREATE TEMP TABLE saved_lines AS
    SELECT run_id, sample_id, coalesce(repeat, 0) AS repeat, coalesce(attempt, 1) AS attempt, status, history_id,
           isolation, left(sample_name, $limit) AS sample_name, timings, usage,
           CASE WHEN error IS NOT NULL THEN
               struct_pack(phase := error.phase, "type" := error.type, message := left(error.message, $limit))
           END AS error,
           [struct_pack(step_index := TRY_CAST(step."index" AS BIGINT),
                        tokens := coalesce(list_sum(flatten([r.tokens for r in step.recalls])), 0),
                        items := coalesce(len(flatten([r.tokens for r in step.recalls])), 0),
                        withheld := coalesce(list_sum([TRY_CAST(r.withheld AS BIGINT) for r in step.recalls]), 0),
                        waited := coalesce(TRY_CAST(step.waited AS DOUBLE), 0.0),
                        texts := flatten([TRY_CAST(r.texts AS VARCHAR[]) for r in step.recalls])[:$shown],
                        evidence := TRY_CAST(step.action.step_evaluation_markers -> '$.evidence' AS VARCHAR[]))
            for step in transcript if step.action.type = 'user_stimulus'] AS questions,
           [struct_pack(step_index := r.step_index, evaluator := r.evaluator, metric := r.metric, value := r.value,
                        outcome := coalesce(r.outcome, 'scored'), passed := r.passed,
                        expected := left(r.expected, $limit), observed := left(r.observed, $limit),
                        reason := left(r.reason, $limit), tags := r.tags, judge := r.audit -> '$.judge',
                        found := CASE WHEN json_type(r.audit, '$.ranks') = 'OBJECT'
                                      THEN json_keys(r.audit, '$.ranks') END)
            for r in records] AS records
    FROM {lines}
"""
_ATTEMPTS = "CREATE TABLE attempts AS SELECT * EXCLUDE (records) FROM saved_lines"
"""In the order of the lines, so that a row of one table has the number of that row in the other."""
_CHOSEN = "CREATE TABLE chosen AS SELECT $run_id AS run_id"
_FINALS = """
    CREATE TABLE finals AS
    SELECT arg_max(attempts.rowid, attempt) AS position FROM attempts JOIN chosen USING (run_id)
    GROUP BY sample_id, repeat
"""
_RECORDS = """
    CREATE TABLE records AS
    SELECT *, {verdict} AS verdict FROM (
    SELECT position, place, sample_id, sample_name, repeat, r.step_index AS step_index, r.evaluator AS evaluator,
           r.metric AS metric, r.passed AS passed, r.expected AS expected, r.observed AS observed, r.reason AS reason,
           r.found AS found, r.judge AS judge, r.value AS value,
           CASE WHEN r.outcome = 'scored' AND NOT coalesce(isfinite(r.value), false) THEN 'unscored' ELSE r.outcome
           END AS outcome,
           CASE WHEN r.outcome IN ('error', 'unsupported') THEN 0.0
                WHEN r.outcome = 'scored' AND isfinite(r.value) THEN r.value
           END AS contribution,
           coalesce(r.tags, MAP {}) AS tags, coalesce('history ' || history_id, 'sample ' || sample_id) AS history,
           row_number() OVER (PARTITION BY position, r.step_index, r.evaluator, r.metric ORDER BY place) AS ordinal,
           CAST(NULL AS VARCHAR) AS criterion
    FROM (
        SELECT rowid AS position, sample_id, sample_name, repeat, history_id, unnest(records) AS r,
               generate_subscripts(records, 1) AS place
        FROM saved_lines WHERE rowid IN (SELECT position FROM finals)
    ))
""".replace("{verdict}", VERDICT)
_VIEWS = """
    DROP TABLE saved_lines;
    CREATE VIEW scenarios AS
        SELECT rowid AS position, * FROM attempts WHERE rowid IN (SELECT position FROM finals);
    CREATE VIEW spent AS
        SELECT attempts.rowid IN (SELECT position FROM finals) AS final, usage FROM attempts JOIN chosen USING (run_id);
"""
_TAG_SETS = """
    CREATE TABLE tag_sets AS SELECT row_number() OVER () AS number, tags FROM (SELECT DISTINCT tags FROM records)
"""
_CRITERIA = """
    UPDATE records SET criterion = named.criterion
    FROM (SELECT unnest($numbers) AS number, unnest($criteria) AS criterion) AS named JOIN tag_sets USING (number)
    WHERE records.tags = tag_sets.tags
"""
_EMPTY = "CREATE TABLE lines ({columns})"


def _declared(tags: Mapping[str, str]) -> str | None:
    return criterion_of(tags, ())


class Tables:
    """The tables of one run, behind a connection to where they are. Use as a context manager, which closes it."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection") -> None:
        self._connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def rows(self, query: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        return self._connection.execute(query, dict(parameters or {})).fetchall()

    def row(self, query: str, parameters: Mapping[str, Any] | None = None) -> tuple[Any, ...]:
        """The single row of an aggregate query."""
        (row,) = self.rows(query, parameters)
        return row


class ExperimentTables(Tables):
    """The tables of one run in a database of their own, in memory.

    ``criterion_of`` names the criterion of a record's tags, None where they belong to none.

    Raises:
        ResultsError: the file of results is damaged.
    """

    def __init__(
        self, results: "ExperimentResults", criterion_of: Callable[[Mapping[str, str]], str | None] = _declared
    ) -> None:
        super().__init__(connect())
        runs = results.directory / "runs.jsonl"
        load_tables(self._connection, runs, results.run_id, criterion_of, damaged=results.damaged_runs)


def load_tables(
    connection: "duckdb.DuckDBPyConnection",
    runs: Path,
    run_id: str,
    criterion_of: Callable[[Mapping[str, str]], str | None],
    *,
    damaged: Collection[int],
    limit: int = TEXT_LIMIT,
) -> None:
    """Make the tables in the connection's current schema. ``damaged`` are the numbers of lines to leave out.

    ``limit`` is how many characters are kept of each text.

    Raises:
        ResultsError: a line that is not among the damaged ones cannot be read.
    """
    parameters = {"limit": limit, "shown": SHOWN_TEXTS}
    if runs.is_file() and runs.stat().st_size:
        execute_on_lines(connection, _LINES, runs, _COLUMNS, parameters, damaged=damaged)
    else:
        columns = ", ".join(f"{name} {kind}" for name, kind in _COLUMNS.items())
        connection.execute(_EMPTY.replace("{columns}", columns))
        connection.execute(_LINES.replace("{lines}", "lines"), parameters)
    connection.execute(_ATTEMPTS)
    connection.execute(_CHOSEN, {"run_id": run_id})
    for statement in (_FINALS, _RECORDS, _VIEWS):
        connection.execute(statement)
    _name_criteria(connection, criterion_of)


def _name_criteria(
    connection: "duckdb.DuckDBPyConnection", criterion_of: Callable[[Mapping[str, str]], str | None]
) -> None:
    connection.execute(_TAG_SETS)
    sets = connection.execute("SELECT number, tags FROM tag_sets").fetchall()
    criteria = [(number, criterion_of(tags)) for number, tags in sets]
    named = {number: criterion for number, criterion in criteria if criterion is not None}
    if named:
        connection.execute(_CRITERIA, {"numbers": list(named), "criteria": list(named.values())})
