"""`heams export`: saved results in the formats of others."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Format(StrEnum):
    """What can be written."""

    TREC = "trec"
    JSONL = "jsonl"
    CSV = "csv"


def command(
    results: Annotated[
        list[Path], typer.Argument(help="Folders that heams run or heams evaluate wrote into, or of a report.")
    ],
    layout: Annotated[
        Format, typer.Option("--format", help="trec: run files and relevance labels. jsonl, csv: a row a record.")
    ],
    output_dir: Annotated[Path, typer.Option("--output-dir", help="Folder for the files.")],
    run_id: Annotated[str | None, typer.Option("--run-id", help="Export this run instead of the newest.")] = None,
    escape_ids: Annotated[
        bool, typer.Option("--escape-ids", help="trec: write white space in ids as %20, and % as %25.")
    ] = False,
) -> None:
    """Write what was retrieved as TREC run files with qrels, or every evaluation record as a row."""
    if layout is Format.TREC:
        _export_trec(results, output_dir, run_id, escape_ids=escape_ids)
        return
    from heams.reporting.exporting.rows import export_rows

    rows = export_rows(results, output_dir, "csv" if layout is Format.CSV else "jsonl", run_id=run_id)
    typer.echo(str(rows))


def _export_trec(results: list[Path], output_dir: Path, run_id: str | None, *, escape_ids: bool) -> None:
    from heams.reporting.exporting.trec import export_trec
    from heams.reporting.figures import plural

    for path, documents, questions in export_trec(results, output_dir, run_id=run_id, escape_ids=escape_ids):
        typer.echo(f"{path}: {plural(documents, 'document')}, {plural(questions, 'question')}")
