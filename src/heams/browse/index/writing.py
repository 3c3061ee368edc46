"""Writes the tables of one run into a database file: in this process, or in one that ends afterwards.

Reading many lines takes memory that a process does not give back, so large files are read by another one.
"""

from dataclasses import dataclass
from pathlib import Path

from heams.benchmarks.registry import report_info
from heams.browse.index.elsewhere import elsewhere
from heams.reporting.lines import Damage
from heams.reporting.load import ExperimentResults
from heams.reporting.table_file import RunFiles, created, write_tables, write_unchecked

_HERE_BYTES = 16 * 1024 * 1024
"""Up to here files are read in this process, and every line is checked before it is read."""


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
    run = RunFiles(results.directory, results.run_id, report_info(results.benchmark_type).criterion_tags)
    if not is_large(results):
        return _write_checked(run, target)
    return Written() if elsewhere(write_unchecked, run, target) else elsewhere(_write_checked, run, target)


def is_large(results: ExperimentResults) -> bool:
    """Whether reading these takes more memory than a process should keep."""
    files = [results.directory / name for name in ("runs.jsonl", "texts.jsonl")]
    return sum(file.stat().st_size for file in files if file.is_file()) > _HERE_BYTES


def _write_checked(run: RunFiles, target: Path) -> Written:
    results = ExperimentResults(run.directory, run.run_id)
    with created(target, run.directory) as connection:
        texts = tuple(damage.line for damage in results.damaged if damage.file == "texts.jsonl")
        runs = tuple(sorted(results.damaged_runs))
        write_tables(connection, run, runs, texts)
    return Written(runs, texts, results.damaged)
