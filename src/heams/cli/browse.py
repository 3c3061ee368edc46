"""`heams browse`: saved results as web pages on this machine."""

from pathlib import Path
from typing import Annotated

import typer

_MOST_PORTS = 65_535
_SAMPLES_EXPORTED = 50


def command(
    results: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[RESULTS]...", help="Folders of results. [default: results]", show_default=False),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=1, max=_MOST_PORTS, help="Port. [default: the first free one from 7575]"),
    ] = None,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; 0.0.0.0 lets other machines read the results.")
    ] = "127.0.0.1",
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="A further name under which the pages may be asked for."),
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    all_runs: Annotated[
        bool, typer.Option("--all-runs", help="Also show the earlier runs of each experiment, not only the newest.")
    ] = False,
    export: Annotated[
        Path | None,
        typer.Option("--export", metavar="FILE", help="Write all pages into one HTML file instead of serving them."),
    ] = None,
    export_samples: Annotated[
        int | None,
        typer.Option(
            "--export-samples",
            min=0,
            metavar="N",
            help=f"Most samples of an experiment in that file, failed ones first. [default: {_SAMPLES_EXPORTED}]",
        ),
    ] = None,
) -> None:
    """Look at results in a browser: runs, samples, transcripts, comparisons. Ctrl-C ends it.

    Pages are served to this machine alone and load nothing from elsewhere; results are only read. A run that is under
    way can be watched. With --export they become one file, which needs no server and no network.

    Exit codes: 0 ended, 2 a mistake in what was asked (no results there, the port is taken).
    """
    if export is not None:
        _export(results, export, _SAMPLES_EXPORTED if export_samples is None else export_samples, all_runs=all_runs)
        return
    if export_samples is not None:
        raise typer.BadParameter("--export-samples says how many samples the file of --export has; name that file")
    from heams.browse.app import create_app
    from heams.browse.index import Library
    from heams.browse.places import places
    from heams.browse.reading_ahead import ReadingAhead
    from heams.browse.security import Hosts, Security
    from heams.browse.serving import address, listening, open_browser, serve, tidy_end

    with tidy_end(), Library(places(results or [Path("results")]), all_runs=all_runs) as library:
        listener = listening(host, port)
        bound = listener.getsockname()[1]
        hosts = Hosts(bound, host, tuple(allow_host or ()))
        url = address(host, bound)
        if hosts.reachable:
            typer.echo(_exposed(host), err=True)

        def ready() -> None:
            typer.echo(f"heams browse: {_counted(len(library.experiments))} at {url} (Ctrl-C ends)")
            if not no_open:
                open_browser(url)

        with ReadingAhead(library):
            serve(create_app(library, Security(hosts)), listener, when_ready=ready)


def _export(results: list[Path] | None, path: Path, most_samples: int, *, all_runs: bool) -> None:
    from heams.browse.index import Library
    from heams.browse.places import places
    from heams.browse.serving import tidy_end
    from heams.cli.browse_export import export

    with tidy_end(), Library(places(results or [Path("results")]), all_runs=all_runs) as library:
        export(library, path, most_samples)


def _counted(experiments: int) -> str:
    return f"{experiments:,} experiment{'s' if experiments != 1 else ''}"


def _exposed(host: str) -> str:
    return (
        f"warning: --host {host} lets everybody who reaches this machine over the network read these results and "
        "write labels: there is no password, and nothing is encrypted"
    )
