"""The `heams` command: puts the commands together and turns errors into messages and exit codes.

Exit codes: 0 success, 1 a failed gate, 2 a mistake in what was asked for, 130 interrupted.
"""

import sys

import typer

from heams.cli import (
    browse,
    cache,
    calibrate_judge,
    compare,
    datasets,
    evaluate,
    export,
    generate_report,
    init,
    listing,
    run,
    score_run,
    validate,
)

app = typer.Typer(
    name="heams",
    help="Holistic evaluation of agent memory systems: performance and privacy, with cost and latency.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command("run")(run.command)
app.command("evaluate")(evaluate.command)
app.command("validate")(validate.command)
app.command("generate-report")(generate_report.command)
app.command("browse")(browse.command)
app.command("compare")(compare.command)
app.command("export")(export.command)
app.command("score-run")(score_run.command)
app.command("list")(listing.command)
app.command("init")(init.command)
app.command("calibrate-judge")(calibrate_judge.command)
app.add_typer(datasets.app, name="datasets")
app.add_typer(cache.app, name="cache")


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),
) -> None:
    """Holistic evaluation of agent memory systems: performance and privacy, with cost and latency."""
    if version:
        from heams import __version__

        typer.echo(f"heams {__version__}")
        raise typer.Exit


def main() -> None:
    """Entry point of the console script."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:  # the outermost boundary: users see words, developers see --traceback's cause
        message = _user_message(error)
        if message is None:
            raise
        typer.echo(f"error: {message}", err=True)
        sys.exit(2)


def _user_message(error: Exception) -> str | None:
    """The words for an error that is not a fault of the program; None for one that is."""
    from heams.browse.errors import BrowseError
    from heams.orchestration.errors import RunRefused
    from heams.orchestration.store import StoreError
    from heams.plugins import PluginError
    from heams.reporting.errors import ResultsError
    from heta_framework.common.config import ConfigError
    from heta_framework.common.datasets import DatasetError
    from heta_framework.common.models.calls.cache_file import CacheError
    from heta_framework.common.models.calls.cassette import CassetteError
    from heta_framework.evaluation.trec.files.errors import TrecFileError

    expected = (
        BrowseError,
        ConfigError,
        RunRefused,
        StoreError,
        PluginError,
        ResultsError,
        DatasetError,
        CacheError,
        CassetteError,
        TrecFileError,
    )
    return str(error) if isinstance(error, expected) else None
