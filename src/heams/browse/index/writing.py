"""Writes the tables of one run into a database file: in this process, or in one that ends afterwards.

Reading many lines takes memory that a process does not give back, so large files are read by another one.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from heams.benchmarks.registry import report_info
from heams.browse.index.elsewhere import elsewhere
from heams.reporting.errors import ResultsError
from heams.reporting.line_source import execute_on_lines
from heams.reporting.lines import Damage
from heams.reporting.load import ExperimentResults
from heams.reporting.tables import load_tables

if TYPE_CHECKING:
    import duckdb

TEXT_LIMIT = 4_000
"""Characters of each text that can be searched and listed; the page of a sample shows all."""
_HERE_BYTES = 16 * 1024 * 1024
"""Up to here files are read in this process, and every line is checked before it is read."""
_INCOMPLETE = "SELECT count(*) FROM attempts WHERE sample_id IS NULL OR status IS NULL"
_KEYS = "CREATE TABLE recalled_texts AS SELECT id, row_number() OVER () - 1 AS line FROM {lines}"
_NO_KEYS = "CREATE TABLE recalled_texts (id VARCHAR, line BIGINT)"
_TABLES = "attempts", "finals", "records", "tag_sets", "recalled_texts"


@dataclass(frozen=True, slots=True)
class Written:
    """The numbers (from 1) of lines that are in no table, of two files; ``damaged`` names them and others."""

    runs: tuple[int, ...] = ()
    texts: tuple[int, ...] = ()
    damaged: tuple[Damage, ...] = ()


def write_index(results: ExperimentResults, target: Path) -> Written:
    """Write the tables to ``target``.

    Raises:
        ResultsError: a file of results cannot be read.
    """
    if is_large(results):
        return elsewhere(_write_large, results.directory, results.run_id, target)
    with _created(target, results) as connection:
        return _write_checked(connection, results)


def is_large(results: ExperimentResults) -> bool:
    """Whether reading these takes more memory than a process should keep."""
    files = [results.directory / name for name in ("runs.jsonl", "texts.jsonl")]
    return sum(file.stat().st_size for file in files if file.is_file()) > _HERE_BYTES


def _write_large(directory: Path, run_id: str, target: Path) -> Written:
    """Lines are read unchecked, and checked when that fails."""
    results = ExperimentResults(directory, run_id)
    with _created(target, results) as connection:
        return _write_trusting(connection, results) or _write_checked(connection, results)


@contextmanager
def _created(target: Path, results: ExperimentResults) -> "Iterator[duckdb.DuckDBPyConnection]":
    """A new database. What fails because of a disk, full or unreadable, is no fault of whoever asks."""
    import duckdb

    try:
        with duckdb.connect(target, config={"temp_directory": f"{target}.spilled"}) as connection:
            yield connection
    except (duckdb.IOException, duckdb.OutOfMemoryException, OSError) as cause:
        reason = str(cause).partition("\n")[0]
        raise ResultsError(
            f"{results.directory}: cannot be read into an index in {target.parent}, which the environment variable "
            f"TMPDIR can move elsewhere: {reason}"
        ) from None


def _write_trusting(connection: "duckdb.DuckDBPyConnection", results: ExperimentResults) -> Written | None:
    """None where some line has to be left out."""
    try:
        _load(connection, results, (), ())
    except ResultsError:
        complete = False
    else:
        complete = connection.execute(_INCOMPLETE).fetchone() == (0,)
    if complete:
        return Written()
    for view in ("scenarios", "spent"):
        connection.execute(f"DROP VIEW IF EXISTS {view}")
    for table in _TABLES:
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    return None


def _write_checked(connection: "duckdb.DuckDBPyConnection", results: ExperimentResults) -> Written:
    texts = tuple(damage.line for damage in results.damaged if damage.file == "texts.jsonl")
    runs = tuple(sorted(results.damaged_runs))
    _load(connection, results, runs, texts)
    return Written(runs, texts, results.damaged)


def _load(
    connection: "duckdb.DuckDBPyConnection", results: ExperimentResults, runs: Collection[int], texts: Collection[int]
) -> None:
    criterion_of = report_info(results.benchmark_type).criterion_of
    load_tables(connection, results, criterion_of, damaged=runs, limit=TEXT_LIMIT)
    path = results.directory / "texts.jsonl"
    if path.is_file() and path.stat().st_size:
        execute_on_lines(connection, _KEYS, path, {"id": "VARCHAR"}, {}, damaged=texts)
    else:
        connection.execute(_NO_KEYS)
