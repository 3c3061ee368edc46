"""The tables of one run in a database file, with the places of its recalled texts.

Imports little, so that a process that is made for writing them begins at once.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from heams.criteria import criterion_of
from heams.reporting.errors import ResultsError
from heams.reporting.line_source import execute_on_lines
from heams.reporting.tables import load_tables

if TYPE_CHECKING:
    import duckdb

TEXT_LIMIT = 4_000
"""Characters of each text that can be searched and listed; the page of a sample shows all."""
_INCOMPLETE = "SELECT count(*) FROM attempts WHERE run_id IS NULL OR sample_id IS NULL OR status IS NULL"
_KEYS = "CREATE TABLE recalled_texts AS SELECT id, row_number() OVER () - 1 AS line FROM {lines}"
_NO_KEYS = "CREATE TABLE recalled_texts (id VARCHAR, line BIGINT)"


@dataclass(frozen=True, slots=True)
class RunFiles:
    """Where a run's results are, and the combinations of tags that give its records their criterion."""

    directory: Path
    run_id: str
    criterion_tags: tuple[tuple[str, ...], ...]


def write_unchecked(run: RunFiles, target: Path) -> bool:
    """Write the tables of lines as they are; False, and no file, where some line has to be left out.

    Raises:
        ResultsError: the disk is full or unreadable.
    """
    with created(target, run.directory) as connection:
        try:
            write_tables(connection, run)
        except ResultsError:
            complete = False
        else:
            complete = connection.execute(_INCOMPLETE).fetchone() == (0,)
    if not complete:
        target.unlink()
    return complete


def write_tables(
    connection: "duckdb.DuckDBPyConnection", run: RunFiles, runs: Collection[int] = (), texts: Collection[int] = ()
) -> None:
    """Write the tables, all but these lines (numbers from 1) of the two files.

    Raises:
        ResultsError: another line cannot be read.
    """
    criterion = partial(criterion_of, combinations=run.criterion_tags)
    load_tables(connection, run.directory / "runs.jsonl", run.run_id, criterion, damaged=runs, limit=TEXT_LIMIT)
    path = run.directory / "texts.jsonl"
    if path.is_file() and path.stat().st_size:
        execute_on_lines(connection, _KEYS, path, {"id": "VARCHAR"}, {}, damaged=texts)
    else:
        connection.execute(_NO_KEYS)


@contextmanager
def created(target: Path, directory: Path) -> "Iterator[duckdb.DuckDBPyConnection]":
    """A new database. What fails because of a disk, full or unreadable, is no fault of whoever asks.

    Raises:
        ResultsError: in that case.
    """
    import duckdb

    try:
        with duckdb.connect(target, config={"temp_directory": f"{target}.spilled"}) as connection:
            yield connection
    except (duckdb.IOException, duckdb.OutOfMemoryException, OSError) as cause:
        reason = str(cause).partition("\n")[0]
        raise ResultsError(
            f"{directory}: cannot be read into an index in {target.parent}, which the environment variable "
            f"TMPDIR can move elsewhere: {reason}"
        ) from None
