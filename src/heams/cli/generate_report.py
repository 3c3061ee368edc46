"""`heams generate-report`: write Markdown from saved results."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    results: Annotated[Path, typer.Argument(help="Folder that heams run wrote into.")],
    run_id: Annotated[str | None, typer.Option("--run-id", help="Report this run instead of the newest.")] = None,
) -> None:
    """Write report.md for every experiment, and one for all of them together."""
    from heams.reporting.reports import write_reports

    for path in write_reports(results, run_id=run_id):
        typer.echo(str(path))
