"""What `heams browse --export` shows in the terminal: how far it is, how large the file becomes, what is not in it."""

import signal
import sys
from pathlib import Path

import typer

from heams.browse.bundle import BundleOptions, Progress, Written, write_bundle
from heams.browse.index import Library

_MEGABYTE = 1_000_000
_TERMINATED = 128 + signal.SIGTERM


def export(library: Library, path: Path, most_samples: int) -> None:
    """Write the file, and say what was written."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(_TERMINATED))  # the unfinished file goes
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[sizes]}"), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Choosing samples", total=None, sizes="")

        def told(progress: Progress) -> None:
            bar.update(
                task,
                description="Writing pages",
                completed=progress.pages,
                total=progress.planned,
                sizes=f"{_size(progress.size)} of about {_size(progress.expected_size)}",
            )

        written = write_bundle(library, path, BundleOptions(most_samples), told)
    _report(written, library)


def _report(written: Written, library: Library) -> None:
    results = sum(
        file.stat().st_size
        for directory in {one.results.directory for one in library.experiments}
        for file in directory.rglob("*")
        if file.is_file()
    )
    typer.echo(f"{written.path}: {written.pages:,} pages, {_size(written.size)} (the results: {_size(results)})")
    for sentence in written.left_out:
        typer.echo(sentence, err=True)


def _size(count: int) -> str:
    return f"{count / _MEGABYTE:,.1f} MB" if count >= _MEGABYTE else f"{count / 1000:,.0f} KB"
