"""`heams generate-report`: write Markdown from saved results."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    results: Annotated[Path, typer.Argument(help="Folder that heams run wrote into.")],
    run_id: Annotated[str | None, typer.Option("--run-id", help="Report this run instead of the newest.")] = None,
    charts: Annotated[
        bool, typer.Option("--charts/--no-charts", help="Draw charts, into charts/ beside each report.")
    ] = True,
) -> None:
    """Write report.md for every experiment, and one for all of them together, with charts."""
    from heams.reporting.reports import write_reports

    for path in write_reports(results, run_id=run_id, charts=charts):
        typer.echo(str(path))
