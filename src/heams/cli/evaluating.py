"""Evaluates a recipe from the command line: what to do, how it went, and the exit code that says so."""

from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any

import typer

from heams.cli.playing import exit_code, shown
from heams.orchestration.listener import RunListener
from heams.orchestration.options import RunOptions
from heams.orchestration.run import RunReport
from heams.orchestration.stopping import StopSignal
from heams.recipe_evaluation.evaluating import evaluate_recipe
from heams.recipe_evaluation.missing_answers import missing_answers
from heams.recipe_evaluation.resolve import resolve_evaluation


def evaluate(
    recipe: Path,
    benchmark: Path,
    modes: Sequence[str],
    output_dir: Path,
    options: RunOptions,
    *,
    top_k: int | None,
    accept_licence: bool,
    plain: bool,
) -> int:
    """Evaluate, show progress, print a summary of what is there; the exit code."""
    evaluation = resolve_evaluation(recipe, benchmark, modes, top_k=top_k, accept_licence=accept_licence)
    output = output_dir.resolve()
    note = missing_answers(evaluation)
    if note:
        typer.echo(f"note: {note}", err=True)

    def work(listener: RunListener, stop: StopSignal) -> Coroutine[Any, Any, RunReport]:
        return evaluate_recipe(evaluation, output, options, listener, stop)

    return exit_code(shown(work, output_dir, options, plain=plain, builds_are_shared=True))
