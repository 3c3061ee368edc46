"""Runs a resolved matrix: experiment after experiment, each resumable, into one output folder."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from heams.agents.base import Agent
from heams.benchmarks.base import BaseBenchmark
from heams.memory.base import MemorySystem
from heams.orchestration.attempt import ScenarioAttempts
from heams.orchestration.components import started
from heams.orchestration.errors import RunRefused, StoppedEarly
from heams.orchestration.executors import LocalExecutor, StopSignal
from heams.orchestration.experiment import Component, Experiment
from heams.orchestration.folder import ExperimentFolder, exclusive
from heams.orchestration.histories import HistoryPool
from heams.orchestration.listener import RunListener
from heams.orchestration.loading import load_benchmark
from heams.orchestration.opening import HistoryOpener
from heams.orchestration.plan import DuplicateSampleId, SampleUnreadable, finished_within, plan, planned_total
from heams.orchestration.progress import StatusKeeper, widest_limit
from heams.orchestration.provenance import describe
from heams.orchestration.redaction import Redactor
from heams.orchestration.resolve import ResolvedRun
from heams.orchestration.results import IngestRecord, RunResult, RunStatus
from heams.orchestration.resume import FinishedIndex, read_earlier
from heams.orchestration.scratch import scratch_folder
from heams.orchestration.snapshots import SnapshotShelf
from heams.orchestration.store import INGESTS, ResultWriter, StoreError
from heams.orchestration.texts import TextBook
from heta_framework.common.config import nearest


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a matrix is run; none of this changes what is measured. ``only`` names experiments."""

    max_concurrency: int = 16
    limit: int | None = None
    only: tuple[str, ...] = ()
    new_run: bool = False


@dataclass(slots=True)
class RunReport:
    """How a run ended: the status of each experiment that was begun, and what stopped it."""

    output_dir: Path
    statuses: list[RunStatus] = field(default_factory=list)
    interrupted: bool = False

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
    chosen = _chosen(run.experiments, options.only)
    report = RunReport(output_dir)
    benchmarks = _BenchmarkShelf()
    listener.run_started([experiment.name for experiment in chosen])
    with exclusive(output_dir), suppress(StoppedEarly):
        await _check_startable(chosen, stop, output_dir, new_run=options.new_run)
        for experiment in chosen:
            if stop.requested:
                break
            one = _ExperimentRun(experiment, run.root, output_dir, options, listener, stop, benchmarks)
            report.statuses.append(await one.run())
    report.interrupted = stop.requested
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


class _BenchmarkShelf:
    """Keeps the last benchmark: experiments next to each other mostly share it."""

    def __init__(self) -> None:
        self._last: tuple[Component, Any] | None = None

    def get(self, component: Component) -> Any:
        if self._last is None or self._last[0] is not component:
            self._last = None
            self._last = (component, load_benchmark(component))
        return self._last[1]


class _ExperimentRun:
    def __init__(
        self,
        experiment: Experiment,
        root: Path,
        output_dir: Path,
        options: RunOptions,
        listener: RunListener,
        stop: StopSignal,
        benchmarks: _BenchmarkShelf,
    ) -> None:
        self._experiment = experiment
        self._root = root
        self._options = options
        self._listener = listener
        self._stop = stop
        self._benchmarks = benchmarks
        self._folder = ExperimentFolder(output_dir, experiment.name)

    async def run(self) -> RunStatus:
        experiment = self._experiment
        benchmark = self._benchmarks.get(experiment.benchmark)
        async with started(experiment, self._stop) as (agent, system):
            provenance = partial(describe, experiment, self._root, agent, system)
            try:
                run_id = self._folder.begin(experiment, provenance, new_run=self._options.new_run)
            except OSError as cause:
                raise RunRefused(f"cannot write into {self._folder.path}: {cause.strerror or cause}") from cause
            finished = self._read_earlier(run_id)
            keeper = self._keeper(benchmark, run_id, finished)
            status = await self._play_guarded(agent, system, benchmark, finished, keeper)
        self._listener.experiment_ended(experiment.name, status)
        return status

    def _read_earlier(self, run_id: str) -> FinishedIndex:
        finished, notes = read_earlier(self._folder.path, run_id)
        for note in notes:
            self._listener.note(self._experiment.name, note)
        return finished

    def _keeper(self, benchmark: BaseBenchmark, run_id: str, finished: FinishedIndex) -> StatusKeeper:
        """Counts for the run as a whole: a smaller ``--limit`` than before plays less and takes nothing back."""
        name, samples = self._experiment.name, benchmark.samples
        limit = widest_limit(self._options.limit, self._folder.read_status(run_id))
        repeats = self._experiment.settings.repeats
        keeper = StatusKeeper(
            self._folder,
            name=name,
            run_id=run_id,
            total=planned_total(samples, repeats=repeats, limit=limit),
            finished=finished_within(samples, finished, repeats=repeats, limit=limit),
            skipped=sum(reason.kind == "skipped" for reason in benchmark.skipped),
            limit=limit,
        )
        total = planned_total(samples, repeats=repeats, limit=self._options.limit)
        before = finished_within(samples, finished, repeats=repeats, limit=self._options.limit)
        self._listener.experiment_started(name, total=total, finished=before, run_id=run_id)
        return keeper

    async def _play_guarded(
        self,
        agent: Agent,
        system: MemorySystem,
        benchmark: BaseBenchmark,
        finished: FinishedIndex,
        keeper: StatusKeeper,
    ) -> RunStatus:
        try:
            await self._play(agent, system, benchmark, finished, keeper)
        except Exception as cause:
            with suppress(StoreError):  # the disk that refused the results may refuse the status too
                keeper.end("failed", str(cause))
            if isinstance(cause, DuplicateSampleId | SampleUnreadable):
                raise RunRefused(f"benchmark {self._experiment.benchmark.label!r}: {cause}") from cause
            raise
        status = keeper.status
        whole = status.finished + status.errors >= status.total and not self._stop.requested
        return keeper.end("completed" if whole else "interrupted")

    async def _play(
        self,
        agent: Agent,
        system: MemorySystem,
        benchmark: BaseBenchmark,
        finished: FinishedIndex,
        keeper: StatusKeeper,
    ) -> None:
        settings, run_id, folder = self._experiment.settings, keeper.status.run_id, self._folder.path
        planned = plan(benchmark.samples, finished, repeats=settings.repeats, limit=self._options.limit)
        with scratch_folder(folder) as scratch:
            redactor = Redactor.of(self._experiment)
            async with ResultWriter(folder, redact=redactor.line) as writer:
                opener = HistoryOpener(
                    agent,
                    system,
                    settings,
                    shelf=SnapshotShelf(folder / "snapshots", run_id),
                    scratch=scratch,
                    on_record=partial(self._save_ingest, writer),
                    redactor=redactor,
                )
                pool = HistoryPool(opener, folder, timeout_s=settings.scenario_timeout_s)
                attempts = ScenarioAttempts(
                    self._experiment.name, run_id, agent, system, settings, pool, TextBook(writer, folder), redactor
                )
                executor = LocalExecutor(
                    attempts,
                    writer,
                    concurrency=self._options.max_concurrency,
                    retries=settings.retries,
                    stop=self._stop,
                    on_durable=partial(self._count, keeper),
                )
                try:
                    await executor.run(planned)
                finally:
                    await pool.close()
            if writer.failure is not None:
                raise writer.failure

    def _save_ingest(self, writer: ResultWriter, record: IngestRecord) -> None:
        line = record.model_dump_json(exclude_none=True).encode("utf-8")
        writer.submit(INGESTS, line, partial(self._listener.history_heard, self._experiment.name, record))

    def _count(self, keeper: StatusKeeper, result: RunResult, final: bool) -> None:
        if final:
            keeper.count(result)
        self._listener.result_durable(self._experiment.name, result, final=final)
