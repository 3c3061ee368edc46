"""Compares two experiments of a library: here where they are small, else in a process that ends with its memory."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from heams.browse.comparing.condensed import Condensed, condense
from heams.browse.comparing.grouping import grouping_tags
from heams.browse.index import Experiment
from heams.browse.index.elsewhere import elsewhere
from heams.browse.index.writing import is_large
from heams.reporting.compare import MetricKey, Side, Unlike, UnlikeExperiments, compare
from heams.reporting.errors import ResultsError
from heams.reporting.load import ExperimentResults
from heams.reporting.tables import Tables

_FILE = "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"


@dataclass(frozen=True, slots=True)
class Wish:
    """What to compare by: a metric (the first of the headline where it is None), a tag, and what may differ.

    Where ``by`` is None, the first tag that groups the questions of both does.
    """

    metric: MetricKey | None = None
    by: str | None = None
    allow: tuple[str, ...] = ()


class Place(NamedTuple):
    """Where another process finds the results and their tables."""

    directory: Path
    run_id: str
    file: str


def compare_now(a: Experiment, b: Experiment, wish: Wish) -> Condensed:
    """Compare B with A, which may take seconds.

    Raises:
        UnlikeExperiments: they are not like with like.
        ResultsError: a metric or a tag is missing, or a file of results cannot be read.
    """
    with a.tables() as tables_a, b.tables() as tables_b:
        if not (is_large(a.results) or is_large(b.results)):
            return _compared(Side(a.results, tables_a), Side(b.results, tables_b), wish)
        places = [place_of(one, tables) for one, tables in ((a, tables_a), (b, tables_b))]
        found = elsewhere(compare_files, places[0], places[1], wish)
    if isinstance(found, Condensed):
        return found
    raise UnlikeExperiments(found)


def place_of(experiment: Experiment, tables: Tables) -> Place:
    """Where the results of an experiment are, whose tables are open."""
    (file,) = tables.row(_FILE)
    return Place(experiment.results.directory, experiment.results.run_id, file)


def compare_files(a: Place, b: Place, wish: Wish) -> Condensed | tuple[Unlike, ...]:
    """Compare here what another process has read.

    A refusal is handed back as what differs, because the error itself cannot travel between processes.

    Raises:
        ResultsError: a metric or a tag is missing, or the results have changed meanwhile.
    """
    import duckdb

    with ExitStack() as stack:
        try:
            tables = [stack.enter_context(Tables(duckdb.connect(one.file, read_only=True))) for one in (a, b)]
        except duckdb.IOException:
            raise ResultsError("the results have changed meanwhile: load this page again") from None
        sides = [
            Side(ExperimentResults(one.directory, one.run_id), opened)
            for one, opened in zip((a, b), tables, strict=True)
        ]
        try:
            return _compared(sides[0], sides[1], wish)
        except UnlikeExperiments as refused:
            return refused.differences


def _compared(a: Side, b: Side, wish: Wish) -> Condensed:
    tags = grouping_tags(a.tables, b.tables)
    by = wish.by if wish.by is not None else next(iter(tags), None)
    return condense(compare(a, b, wish.metric, by=by, allow=wish.allow), tags)
