"""Evaluates a recipe: runs of its modes one after the other, each resumable, into one output folder."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from heams.orchestration.call_watch import CallWatch
from heams.orchestration.errors import RunRefused, StoppedEarly
from heams.orchestration.folder import exclusive
from heams.orchestration.listener import RunListener
from heams.orchestration.model_checks import check_models
from heams.orchestration.model_path import model_path
from heams.orchestration.options import RunOptions
from heams.orchestration.run import RunReport
from heams.orchestration.stopping import StopSignal
from heams.recipe_evaluation.first_cases import FirstCases
from heams.recipe_evaluation.places import opened_recipe, workspace_of
from heams.recipe_evaluation.playing import RunOfModes
from heams.recipe_evaluation.resolve import RecipeEvaluation
from heams.recipe_evaluation.runs import planned_runs
from heams.recipe_evaluation.until_stopped import until_stopped
from heta_framework.common.datasets import DatasetError


async def evaluate_recipe(
    evaluation: RecipeEvaluation,
    output_dir: Path,
    options: RunOptions | None = None,
    listener: RunListener | None = None,
    stop: StopSignal | None = None,
) -> RunReport:
    """Ask every case in every mode that has no final result yet; see `heta_framework.evaluation.BenchmarkRunner`.

    Raises:
        RunRefused: it cannot be done as asked (folder in use, configuration changed, a build that fails ...).
        DatasetError: the benchmark's data cannot be had.
        StoreError: results can no longer be written. Everything that was counted is safe.
    """
    options, listener, stop = options or RunOptions(), listener or RunListener(), stop or StopSignal()
    options.check()
    experiments = list(evaluation.experiments.values())
    check_models(experiments, replaying=options.replay is not None, max_cost=options.max_cost_usd is not None)
    report, watch = RunReport(output_dir), CallWatch(stop)
    with exclusive(output_dir), suppress(StoppedEarly):
        async with model_path(options, stop, listener, watch):
            runs = planned_runs(evaluation, output_dir, new_run=options.new_run)
            listener.run_started([one.name for run in runs for one in run.experiments.values()])
            benchmark = await until_stopped(_prepared(evaluation, options.limit), stop)
            async with opened_recipe(evaluation, output_dir) as recipe:
                for run in runs:
                    playing = RunOfModes(run, evaluation, recipe, benchmark, output_dir, options, listener)
                    report.statuses += await playing.play(stop)
    report.interrupted, report.reason = stop.requested, stop.reason
    report.replay_misses, report.first_miss = watch.misses, watch.first_miss
    return report


async def _prepared(evaluation: RecipeEvaluation, limit: int | None) -> FirstCases:
    """The benchmark with its data at hand.

    Raises:
        RunRefused: it cannot be prepared, or has no cases.
    """
    label = evaluation.benchmark.label
    try:
        found = await FirstCases.of(evaluation.made, workspace_of(evaluation.root), limit)
    except DatasetError:
        raise
    except Exception as cause:  # a benchmark may be anybody's code
        raise RunRefused(f"benchmark {label!r} cannot be prepared: {_words(cause)}") from cause
    if not found.case_ids:
        raise RunRefused(f"benchmark {label!r} has no cases")
    return found


def _words(cause: Exception) -> str:
    named = isinstance(cause, (FileNotFoundError, ValueError)) and str(cause)
    return str(cause) if named else f"{type(cause).__name__}: {cause}"
