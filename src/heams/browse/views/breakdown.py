"""What an overview counts over all records: in another process where there are many, as they take much memory."""

from dataclasses import dataclass
from pathlib import Path

from heams.browse.index import Experiment
from heams.browse.index.elsewhere import elsewhere
from heams.browse.index.writing import is_large
from heams.reporting.failures import ErrorKind, Unjudged, error_kinds, unjudged
from heams.reporting.tables import Tables
from heams.reporting.tag_tables import TagTable, tag_tables


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Metrics by tags, and what went wrong."""

    by_tag: tuple[TagTable, ...]
    errors: tuple[ErrorKind, ...]
    unjudged: tuple[Unjudged, ...]


def breakdown_of(experiment: Experiment) -> Breakdown:
    """Read it off the tables.

    Raises:
        ResultsError: the results cannot be read.
    """
    with experiment.tables() as tables:
        return elsewhere(_of_file, tables.file) if is_large(experiment.results) else _of_tables(tables)


def _of_file(file: Path) -> Breakdown:
    import duckdb

    with Tables(duckdb.connect(file, read_only=True)) as tables:
        return _of_tables(tables)


def _of_tables(tables: Tables) -> Breakdown:
    return Breakdown(tuple(tag_tables(tables)), tuple(error_kinds(tables)), tuple(unjudged(tables)))
