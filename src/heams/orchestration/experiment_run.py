"""Plays one experiment of a matrix: its components started, its folder opened, everything planned that is not there."""

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
from heams.orchestration.cost_guard import CostGuard
from heams.orchestration.errors import RunRefused
from heams.orchestration.executors import LocalExecutor
from heams.orchestration.experiment import Component, Experiment
from heams.orchestration.folder import ExperimentFolder
from heams.orchestration.histories import HistoryPool
from heams.orchestration.listener import RunListener
from heams.orchestration.loading import load_benchmark
from heams.orchestration.opening import HistoryOpener
from heams.orchestration.options import RunOptions
from heams.orchestration.plan import DuplicateSampleId, SampleUnreadable, finished_within, plan, planned_total
from heams.orchestration.progress import StatusKeeper, widest_limit
from heams.orchestration.provenance import describe
from heams.orchestration.redaction import Redactor
from heams.orchestration.results import IngestRecord, RunResult, RunStatus
from heams.orchestration.resume import FinishedIndex, read_earlier
from heams.orchestration.scratch import scratch_folder
from heams.orchestration.snapshots import SnapshotShelf
from heams.orchestration.stopping import StopSignal
from heams.orchestration.store import INGESTS, ResultWriter, StoreError
from heams.orchestration.texts import open_text_book


class BenchmarkShelf:
    """Keeps the last benchmark: experiments next to each other mostly share it."""

    def __init__(self) -> None:
        self._last: tuple[Component, Any] | None = None

    def get(self, component: Component) -> Any:
        """The benchmark of a component, with its data read."""
        if self._last is None or self._last[0] is not component:
            self._last = None
            self._last = (component, load_benchmark(component))
        return self._last[1]


@dataclass(frozen=True, slots=True)
class RunContext:
    """What the experiments of a run share. ``root`` is the project root, against which paths were resolved."""

    root: Path
    output_dir: Path
    options: RunOptions
    listener: RunListener
    stop: StopSignal
    guard: CostGuard
    benchmarks: BenchmarkShelf = field(default_factory=BenchmarkShelf)


class ExperimentRun:
    """One experiment within a run."""

    def __init__(self, experiment: Experiment, context: RunContext) -> None:
        self._experiment = experiment
        self._context = context
        self._options = context.options
        self._listener = context.listener
        self._stop = context.stop
        self._folder = ExperimentFolder(context.output_dir, experiment.name)

    async def run(self) -> RunStatus:
        """Play what has no final result yet.

        Raises:
            RunRefused: the experiment cannot be played as asked.
            StoreError: results can no longer be written.
            StoppedEarly: a stop was asked for before the first scenario.
        """
        experiment = self._experiment
        benchmark = self._context.benchmarks.get(experiment.benchmark)
        async with started(experiment, self._stop) as (agent, system):
            provenance = partial(describe, experiment, self._context.root, agent, system, self._options)
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
        return keeper.end("completed") if whole else keeper.end("interrupted", self._stop.reason)

    async def _play(
        self,
        agent: Agent,
        system: MemorySystem,
        benchmark: BaseBenchmark,
        finished: FinishedIndex,
        keeper: StatusKeeper,
    ) -> None:
        settings, folder = self._experiment.settings, self._folder.path
        planned = plan(benchmark.samples, finished, repeats=settings.repeats, limit=self._options.limit)
        redactor = Redactor.of(self._experiment)
        with scratch_folder(folder) as scratch:
            async with ResultWriter(folder, redact=redactor.line) as writer:
                opener = HistoryOpener(
                    agent,
                    system,
                    settings,
                    shelf=SnapshotShelf(folder / "snapshots", keeper.status.run_id),
                    scratch=scratch,
                    on_hearing=partial(self._listener.history_started, self._experiment.name),
                    on_record=partial(self._save_ingest, writer),
                    redactor=redactor,
                    guard=self._context.guard,
                )
                pool = HistoryPool(opener, folder, timeout_s=settings.scenario_timeout_s)
                attempts = ScenarioAttempts(
                    self._experiment.name,
                    agent,
                    system,
                    settings,
                    pool=pool,
                    texts=open_text_book(writer, folder),
                    redactor=redactor,
                    guard=self._context.guard,
                )
                try:
                    await self._executor(attempts, writer, keeper).run(planned)
                finally:
                    await pool.close()
            if writer.failure is not None:
                raise writer.failure

    def _executor(self, attempts: ScenarioAttempts, writer: ResultWriter, keeper: StatusKeeper) -> LocalExecutor:
        return LocalExecutor(
            attempts,
            writer,
            concurrency=self._options.max_concurrency,
            retries=self._experiment.settings.retries,
            stop=self._stop,
            on_durable=partial(self._count, keeper),
        )

    def _save_ingest(self, writer: ResultWriter, record: IngestRecord) -> None:
        line = record.model_dump_json(exclude_none=True).encode("utf-8")
        writer.submit(INGESTS, line, partial(self._listener.history_heard, self._experiment.name, record))

    def _count(self, keeper: StatusKeeper, result: RunResult, final: bool) -> None:
        if final:
            keeper.count(result)
        self._listener.result_durable(self._experiment.name, result, final=final)
