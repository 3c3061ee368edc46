"""`heams evaluate`: a recipe on a retrieval benchmark, with progress, resumably."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    recipe: Annotated[Path, typer.Option("--recipe", help="Recipe (YAML).")],
    benchmark: Annotated[Path, typer.Option("--benchmark", help="Retrieval benchmark (YAML).")],
    modes: Annotated[
        list[str] | None,
        typer.Option("--modes", help="Query modes, with commas between them; all that the recipe serves by default."),
    ] = None,
    output_dir: Annotated[Path, typer.Option("--output-dir", help="Folder for the results.")] = Path("results"),
    top_k: Annotated[
        int | None,
        typer.Option("--top-k", min=1, help="Results a query asks for, at least, instead of the benchmark's."),
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Ask only the first N questions.")] = None,
    max_concurrent_queries: Annotated[
        int, typer.Option("--max-concurrent-queries", min=1, help="Questions at once.")
    ] = 8,
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
    accept_licence: Annotated[
        bool, typer.Option("--accept-licence", help="You accept the licence of data that has to be downloaded.")
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines instead of live progress (for logs).")] = False,
) -> None:
    """Build knowledge bases from a recipe, ask them a benchmark's questions, and score what they find.

    The same command resumes after an interruption. The results are those of heams run: one experiment for each mode.

    Exit codes: 0 done, 1 a mode has nothing but errors, the run stopped by itself (--max-cost is spent, a model never
    answers), or a cassette lacks calls, 2 a mistake in what was asked (or a build that fails), 130 interrupted.
    """
    from heams.cli.evaluating import evaluate
    from heams.cli.mode_names import mode_names
    from heams.orchestration.options import RunOptions
    from heta_framework.common.models.calls.cache_place import model_cache_dir

    options = RunOptions(
        max_concurrency=max_concurrent_queries,
        limit=limit,
        new_run=new_run,
        cache_dir=model_cache_dir(cache_dir),
        record=record,
        replay=replay,
        max_cost_usd=max_cost,
    )
    code = evaluate(
        recipe,
        benchmark,
        mode_names(modes),
        output_dir,
        options,
        top_k=top_k,
        accept_licence=accept_licence,
        plain=plain,
    )
    if code:
        raise typer.Exit(code)
