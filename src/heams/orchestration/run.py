"""Runs a resolved matrix: experiment after experiment, each resumable, into one output folder."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from heams.orchestration.call_watch import CallWatch
from heams.orchestration.components import started
from heams.orchestration.errors import RunRefused, StoppedEarly
from heams.orchestration.experiment import Experiment
from heams.orchestration.experiment_run import ExperimentRun, RunContext
from heams.orchestration.folder import ExperimentFolder, exclusive
from heams.orchestration.listener import RunListener
from heams.orchestration.loading import load_benchmark
from heams.orchestration.model_checks import check_models
from heams.orchestration.model_path import model_path
from heams.orchestration.options import RunOptions
from heams.orchestration.resolve import ResolvedRun
from heams.orchestration.results import RunStatus
from heams.orchestration.stopping import StopSignal
from heta_framework.common.config import nearest


@dataclass(slots=True)
class RunReport:
    """How a run ended: the status of each experiment that was begun, and what stopped it.

    ``interrupted``: it was stopped before its end. ``reason`` says why where it stopped by itself. ``replay_misses``
    counts the calls that the cassette of a replay did not hold; ``first_miss`` has the words for the first.
    """

    output_dir: Path
    statuses: list[RunStatus] = field(default_factory=list)
    interrupted: bool = False
    reason: str | None = None
    replay_misses: int = 0
    first_miss: str | None = None

    @property
    def without_results(self) -> list[str]:
        """Names of experiments in which every scenario ended in an error."""
        return [status.name for status in self.statuses if status.errors and not status.finished]


async def run_matrix(
    run: ResolvedRun,
    output_dir: Path,
    options: RunOptions | None = None,
    listener: RunListener | None = None,
    stop: StopSignal | None = None,
) -> RunReport:
    """Play every experiment of ``run`` that has no final results yet.

    Raises:
        RunRefused: the run cannot be done as asked (folder in use, configuration changed, unusable data ...).
        StoreError: results can no longer be written. Everything that was counted is safe.
    """
    options, listener, stop = options or RunOptions(), listener or RunListener(), stop or StopSignal()
    options.check()
    chosen = _chosen(run.experiments, options.only)
    check_models(chosen, replaying=options.replay is not None, max_cost=options.max_cost_usd is not None)
    report, watch = RunReport(output_dir), CallWatch(stop)
    listener.run_started([experiment.name for experiment in chosen])
    with exclusive(output_dir), suppress(StoppedEarly):
        async with model_path(options, stop, listener, watch) as guard:
            await _check_startable(chosen, stop, output_dir, new_run=options.new_run)
            context = RunContext(run.root, output_dir, options, listener, stop, guard)
            for experiment in chosen:
                if stop.requested:
                    break
                report.statuses.append(await ExperimentRun(experiment, context).run())
    report.interrupted, report.reason = stop.requested, stop.reason
    report.replay_misses, report.first_miss = watch.misses, watch.first_miss
    return report


async def _check_startable(
    experiments: Sequence[Experiment], stop: StopSignal, output_dir: Path, *, new_run: bool
) -> None:
    """Start and close what every experiment needs, so that the third does not fail after a night of the first two."""
    if len(experiments) < 2:
        return
    for experiment in experiments:
        if not new_run:
            ExperimentFolder(output_dir, experiment.name).resumable(experiment)
        async with started(experiment, stop):
            pass
    benchmarks = {id(experiment.benchmark): experiment.benchmark for experiment in experiments}
    if len(benchmarks) > 1:
        for benchmark in benchmarks.values():
            load_benchmark(benchmark)


def _chosen(experiments: Sequence[Experiment], only: Sequence[str]) -> list[Experiment]:
    names = [experiment.name for experiment in experiments]
    for name in only:
        if name not in names:
            near = nearest(name, names)
            hint = f"did you mean {near!r}? " if near else ""
            raise RunRefused(f"no experiment is named {name!r}; {hint}There are: {', '.join(names)}")
    return [experiment for experiment in experiments if not only or experiment.name in only]
