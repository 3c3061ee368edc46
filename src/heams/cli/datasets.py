"""`heams datasets`: list, fetch and verify data that belongs to others."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from stamina.instrumentation import RetryDetails

    from heta_framework.common.datasets import DatasetEntry

app = typer.Typer(
    help="Data sets that belong to others: list them, fetch them under their licence, verify them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

CacheDir = Annotated[Path | None, typer.Option("--cache-dir", help="Where data is kept (default: the user's cache).")]


@app.command("list")
def list_command() -> None:
    """List the registered data sets with size, licence and by what their files are checked."""
    from heta_framework.common.datasets import registry

    for entry in registry().values():
        size = "size unknown" if entry.size is None else f"{entry.size / 1e6:.1f} MB"
        typer.echo(f"{entry.name}: {entry.title} ({size}, licence: {entry.licence.name}, {_pins(entry)})")
        typer.echo(f"  {entry.homepage}")


@app.command("fetch")
def fetch_command(
    name: Annotated[str, typer.Argument(help="A name that 'heams datasets list' shows.")],
    accept_licence: Annotated[
        bool, typer.Option("--accept-licence", help="You have read the licence and accept it.")
    ] = False,
    cache_dir: CacheDir = None,
) -> None:
    """Download a data set (resuming a cut download) and check it against its checksum."""
    from heta_framework.common.datasets import fetch, find_entry

    entry = find_entry(name)
    _show_licence(entry)
    if entry.licence.needs_acceptance and not accept_licence and sys.stdin.isatty():
        accept_licence = typer.confirm("Do you accept this licence?", default=False)
    with _retries_in_words():
        for path in fetch(name, cache_dir=cache_dir, accept_licence=accept_licence, progress=_print_progress):
            typer.echo(str(path))
    typer.echo(f"Run files find it with HEAMS_DATA_DIR={shlex.quote(str(path.parent.parent))}", err=True)


@app.command("verify")
def verify_command(
    name: Annotated[str | None, typer.Argument(help="A data set; all of them by default.")] = None,
    cache_dir: CacheDir = None,
) -> None:
    """Compare the files in the cache with their checksums; exit code 1 when one is missing or corrupt.

    A file is "unchecked" where its source publishes no checksum and none was recorded at a first download.
    """
    from heta_framework.common.datasets import registry, verify

    bad = False
    for each in [name] if name is not None else list(registry()):
        for state in verify(each, cache_dir):
            typer.echo(f"{state.state:<9} {each}: {state.path}")
            if state.state == "corrupt":
                typer.echo(f"          expected {state.algorithm} {state.expected}")
                typer.echo(f"          found    {state.algorithm} {state.found}")
            bad |= state.state == "corrupt" or (name is not None and state.state == "missing")
    if bad:
        raise typer.Exit(1)


_PINNED = {
    "sha256": "checked by sha256",
    "md5": "checked by the md5 its source publishes",
    "first use": "no checksum published: the first download is recorded",
}


def _pins(entry: "DatasetEntry") -> str:
    return "; ".join(dict.fromkeys(_PINNED[file.pin] for file in entry.files))


def _show_licence(entry: "DatasetEntry") -> None:
    licence = entry.licence
    use = f"commercial use {licence.commercial_words}"
    typer.echo(f"{entry.title}\nLicence: {licence.name} ({use}) {licence.url}\n{licence.terms}", err=True)


@contextmanager
def _retries_in_words() -> Iterator[None]:
    """Say on standard error that a download is tried again, in place of stamina's lines for logs."""
    from stamina.instrumentation import set_on_retry_hooks

    set_on_retry_hooks([_print_retry])
    try:
        yield
    finally:
        set_on_retry_hooks(None)


def _print_retry(details: "RetryDetails") -> None:
    typer.echo(f"the connection failed; retry {details.retry_num} in {details.wait_for:.1f} s", err=True)


def _print_progress(filename: str, received: int, total: int | None) -> None:
    share = f"{received / total:4.0%}" if total else f"{received / 1e6:.1f} MB"
    end = "\n" if total and received >= total else "\r"
    sys.stderr.write(f"{filename}: {share}{end}")
    sys.stderr.flush()
