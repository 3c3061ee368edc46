"""`heams run`: play a run matrix, with progress, resumably."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    config: Annotated[Path, typer.Option("--config", help="Run file (YAML).")],
    output_dir: Annotated[Path, typer.Option("--output-dir", help="Folder for the results.")] = Path("results"),
    max_concurrency: Annotated[int, typer.Option("--max-concurrency", min=1, help="Scenarios at once.")] = 16,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Play only the first N samples.")] = None,
    only: Annotated[list[str] | None, typer.Option("--only", help="Play only this experiment (repeatable).")] = None,
    new_run: Annotated[bool, typer.Option("--new-run", help="Begin another run instead of resuming.")] = False,
    cache_dir: Annotated[
        Path | None,
        typer.Option("--cache-dir", help="Keep replies of models here, and answer from here. [HEAMS_MODEL_CACHE_DIR]"),
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", help="Record every model call to this cassette (*.jsonl.zst).")
    ] = None,
    replay: Annotated[
        Path | None, typer.Option("--replay", help="Answer model calls from this cassette: no model, no key.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", metavar="USD", help="Stop when models have cost this much.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines instead of live progress (for logs).")] = False,
) -> None:
    """Play every scenario of a run matrix. The same command resumes after an interruption.

    Exit codes: 0 done, 1 an experiment has nothing but errors, the run stopped by itself (--max-cost is spent, a model
    never answers), or a cassette lacks calls, 2 a mistake in what was asked (or a full disk), 130 interrupted.
    """
    from heams.cli.playing import exit_code, play
    from heams.orchestration.options import RunOptions
    from heta_framework.common.models.calls.cache_place import model_cache_dir

    options = RunOptions(
        max_concurrency=max_concurrency,
        limit=limit,
        only=tuple(only or ()),
        new_run=new_run,
        cache_dir=model_cache_dir(cache_dir),
        record=record,
        replay=replay,
        max_cost_usd=max_cost,
    )
    code = exit_code(play(config, output_dir, options, plain=plain))
    if code:
        raise typer.Exit(code)
