"""The digest of an experiment whose tables are in a database file."""

from dataclasses import replace
from pathlib import Path

from heams.benchmarks.info import BenchmarkInfo, ReportDimension
from heams.benchmarks.registry import report_info
from heams.browse.index.elsewhere import elsewhere
from heams.browse.index.loaded import Loaded
from heams.browse.index.writing import is_large
from heams.reporting.digest import Digest, digest_of
from heams.reporting.load import ExperimentResults
from heams.reporting.tables import Tables

_UNNAMED = BenchmarkInfo("", ReportDimension.PERFORMANCE)
"""Stands for the benchmark's own, which may hold functions that no other process can be sent."""


def digest(results: ExperimentResults, loaded: Loaded, tables: Tables) -> Digest:
    """Read off ``tables``, or in another process where that takes much memory."""
    info = report_info(results.benchmark_type)
    if not is_large(results):
        return digest_of(results, info, tables, loaded.damaged)
    found = elsewhere(_digest_of_file, results.directory, results.run_id, loaded.file)
    return replace(found, results=results, info=info, damaged=loaded.damaged)


def _digest_of_file(directory: Path, run_id: str, file: Path) -> Digest:
    import duckdb

    results = ExperimentResults(directory, run_id)
    with Tables(duckdb.connect(file, read_only=True)) as tables:
        return replace(digest_of(results, report_info(results.benchmark_type), tables), info=_UNNAMED)
