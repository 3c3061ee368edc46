"""`heams cache`: what the cache of model replies holds, and taking replies out of it."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from heta_framework.common.models.calls.cache_pruning import Pruned
    from heta_framework.common.models.calls.cache_statistics import CacheStatistics, ModelStatistics

app = typer.Typer(
    help="The cache of model replies: what it holds and saved, and taking replies out of it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_BYTES = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]+)")

CacheDir = Annotated[
    Path | None, typer.Option("--cache-dir", help="Folder of the cache (default: HEAMS_MODEL_CACHE_DIR).")
]


@app.command("stats")
def stats_command(
    cache_dir: CacheDir = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Show what the cache holds, by model: replies, hits, tokens saved, first and last use."""
    from heta_framework.common.models.calls.cache_statistics import cache_statistics

    statistics = cache_statistics(_directory(cache_dir))
    if as_json:
        typer.echo(statistics.model_dump_json(indent=2))
        return
    typer.echo(f"{statistics.file}: {statistics.entries:,} replies, {shown_bytes(statistics.bytes_on_disk)} on disk")
    if statistics.models:
        _print_whole(_table(statistics))
    if any(model.uncounted_hits for model in statistics.models):
        typer.echo("≥: some hits were on replies for which the provider gave no token counts.")


@app.command("prune")
def prune_command(
    cache_dir: CacheDir = None,
    older_than: Annotated[
        str | None, typer.Option("--older-than", metavar="TIME", help="Not used for this long, such as 12h or 30d.")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="Only replies of this model.")] = None,
    max_size: Annotated[
        str | None, typer.Option("--max-size", metavar="SIZE", help="Then the least recently used, as in 500MB.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Remove all replies.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be removed.")] = False,
) -> None:
    """Remove replies from the cache and shrink its file.

    --older-than and --model together remove what both name.
    """
    from heta_framework.common.models.calls.cache_pruning import PruneRequest, prune_cache

    _check_choice(older_than, model, max_size, everything=everything)
    request = PruneRequest(
        older_than_s=None if older_than is None else _amount("--older-than", older_than, _SECONDS, "12h or 30d"),
        model=model,
        everything=everything,
        max_bytes=None if max_size is None else int(_amount("--max-size", max_size, _BYTES, "500MB or 2GiB")),
    )
    pruned = prune_cache(_directory(cache_dir), request, dry_run=dry_run)
    typer.echo(_outcome(pruned, dry_run=dry_run))
    if not pruned.shrunk:
        typer.echo("The file could not be made smaller: a run uses it, or the disk is full. Prune again later.")


def shown_bytes(size: int) -> str:
    """A size for people, in decimal units."""
    for unit, step in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= step:
            return f"{size / step:.1f} {unit}"
    return f"{size} B"


def _directory(given: Path | None) -> Path:
    from heta_framework.common.models.calls.cache_file import CacheError
    from heta_framework.common.models.calls.cache_place import CACHE_DIR_ENV, model_cache_dir

    directory = model_cache_dir(given)
    if directory is None:
        raise CacheError(
            f"no cache is named: give its folder with --cache-dir, or set {CACHE_DIR_ENV}. "
            f"(Runs keep no model replies unless one of the two names a folder.)"
        )
    return directory


def _check_choice(older_than: str | None, model: str | None, max_size: str | None, *, everything: bool) -> None:
    if everything and (older_than, model, max_size) != (None, None, None):
        raise typer.BadParameter("--all removes everything and takes no other choice beside it")
    if not everything and (older_than, model, max_size) == (None, None, None):
        raise typer.BadParameter("say what to remove: --older-than, --model, --max-size or --all")
    if model is not None and max_size is not None:
        raise typer.BadParameter("--max-size is the size of the whole cache and cannot be combined with --model")


def _amount(option: str, text: str, units: dict[str, int], example: str) -> float:
    match = _AMOUNT.fullmatch(text.strip())
    if match is None or match[2].lower() not in units:
        known = ", ".join(units)
        raise typer.BadParameter(f"{option} {text!r}: a number and a unit ({known}) are expected, such as {example}")
    return float(match[1]) * units[match[2].lower()]


def _outcome(pruned: "Pruned", *, dry_run: bool) -> str:
    replies = f"{pruned.entries:,} {'reply' if pruned.entries == 1 else 'replies'}"
    sizes = f"{shown_bytes(pruned.bytes_before)} -> {'about ' if dry_run else ''}{shown_bytes(pruned.bytes_after)}"
    return f"{'would remove' if dry_run else 'removed'} {replies}, {pruned.kept:,} stay; {sizes} on disk"


def _print_whole(table: "Table") -> None:
    """A name that is folded can be neither copied nor found: lines may be longer than the terminal is wide."""
    from rich.console import Console

    console = Console()
    console.width = max(console.width, console.measure(table, options=console.options.update(width=1_000)).maximum)
    console.print(table)


def _table(statistics: "CacheStatistics") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("model", no_wrap=True)
    for name in ("replies", "size", "hits", "tokens saved", "first kept", "last used"):
        table.add_column(name, justify="right")
    for model in statistics.models:
        table.add_row(*map(Text, _row(model)))
    return table


def _row(model: "ModelStatistics") -> tuple[str, ...]:
    saved = model.saved_input_tokens + model.saved_output_tokens
    return (
        model.model if model.kind == "chat" else f"{model.model} ({model.kind})",
        f"{model.entries:,}",
        shown_bytes(model.bytes),
        f"{model.hits:,}",
        f"{'≥' if model.uncounted_hits else ''}{saved:,}",
        _shown_day(model.created),
        _shown_day(model.used),
    )


def _shown_day(timestamp: float) -> str:
    from datetime import datetime

    return datetime.fromtimestamp(timestamp).astimezone().strftime("%Y-%m-%d")
