"""Writes every evaluation record as one row: for spreadsheets, data frames and databases."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from heams.reporting.errors import ResultsError
from heams.reporting.exporting.reports import ReportFolder
from heams.reporting.line_source import connect
from heams.reporting.load import load_results
from heams.reporting.relation import records_relation

RowFormat = Literal["jsonl", "csv"]
_COPY = {
    "jsonl": "COPY (SELECT * FROM records) TO '{path}' (FORMAT json)",
    "csv": "COPY (SELECT * REPLACE (CAST(to_json(tags) AS VARCHAR) AS tags) FROM records) TO '{path}' (HEADER)",
}


def export_rows(results: Iterable[Path], output_dir: Path, layout: RowFormat, *, run_id: str | None = None) -> Path:
    """Write ``records.jsonl`` or ``records.csv``, with the records of all experiments; tags are an object, in JSON.

    Raises:
        ResultsError: there are no results, they are damaged, or the file cannot be written.
    """
    experiments = []
    for path in results:
        if ReportFolder.at(path) is not None:
            raise ResultsError(f"{path}: the report of a benchmark run has no records; export it with --format trec")
        experiments += load_results(path, run_id=run_id).experiments
    target = output_dir / f"records.{layout}"
    connection = connect()
    try:
        output_dir.mkdir(parents=True, exist_ok=True)
        records_relation(experiments, connection).create_view("records")
        temporary = target.with_name(f".{target.name}.tmp")
        connection.execute(_COPY[layout].replace("{path}", str(temporary).replace("'", "''")))
        temporary.replace(target)
    except OSError as cause:
        raise ResultsError(f"cannot write {target}: {cause.strerror or cause}") from None
    finally:
        connection.close()
    return target
