"""The lines of one query mode: its folder, what is in it from before, and what is added to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Literal, Self

from heams.orchestration.experiment import Experiment
from heams.orchestration.folder import ExperimentFolder
from heams.orchestration.listener import RunListener
from heams.orchestration.progress import StatusKeeper, widest_limit
from heams.orchestration.redaction import Redactor
from heams.orchestration.results import IngestRecord, RunResult, RunStatus
from heams.orchestration.resume import FinishedIndex, read_earlier
from heams.orchestration.savable import savable
from heams.orchestration.store import INGESTS, RUNS, ResultWriter
from heams.orchestration.texts import open_text_book
from heams.recipe_evaluation.projection import Projection
from heams.recipe_evaluation.verdicts import Verdicts
from heta_framework.common.models.usage import UsageByRole
from heta_framework.evaluation.types import BenchmarkCase, EvaluationCaseResult


@dataclass(frozen=True, slots=True)
class AskedCases:
    """What all modes of an evaluation are asked: the first ``limit`` of the cases. ``evaluators`` are their names."""

    all_case_ids: Sequence[str]
    evaluators: Sequence[str]
    limit: int | None
    shares_histories: bool

    def finished_of(self, limit: int | None, finished: FinishedIndex) -> int:
        """How many of the first ``limit`` cases have a final line."""
        return sum(finished.is_final(case_id, 0) for case_id in self.all_case_ids[:limit])


@dataclass(slots=True)
class ModeLines:
    """One experiment while it is evaluated. Use as an async context manager.

    Attributes:
        rescoring: whether saved responses are being scored anew, so that a finished case comes again.
    """

    experiment: Experiment
    folder: ExperimentFolder
    run_id: str
    listener: RunListener
    finished: FinishedIndex
    keeper: StatusKeeper
    projection: Projection
    writer: ResultWriter
    rescoring: bool = False
    _redactor: Redactor = field(default_factory=Redactor)

    @classmethod
    def open(
        cls, experiment: Experiment, folder: ExperimentFolder, run_id: str, asked: AskedCases, listener: RunListener
    ) -> Self:
        """Read what is there from before, and tell the listener of it."""
        finished, notes = read_earlier(folder.path, run_id)
        for note in notes:
            listener.note(experiment.name, note)
        redactor = Redactor.of(experiment)
        writer = ResultWriter(folder.path, redact=redactor.line)
        projection = Projection(
            experiment.name,
            run_id,
            open_text_book(writer, folder.path),
            Verdicts(asked.evaluators),
            asked.shares_histories,
        )
        keeper = _keeper(experiment, folder, run_id, asked, finished)
        total, before = len(asked.all_case_ids[: asked.limit]), asked.finished_of(asked.limit, finished)
        listener.experiment_started(experiment.name, total=total, finished=before, run_id=run_id)
        return cls(experiment, folder, run_id, listener, finished, keeper, projection, writer, _redactor=redactor)

    async def __aenter__(self) -> Self:
        await self.writer.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.writer.__aexit__(kind, error, trace)

    def knows(self, case_id: str, *, failed: bool) -> bool:
        """Whether there is a line of a case, in which its query did not fail unless ``failed``."""
        return self.finished.is_final(case_id, 0) or (failed and self.finished.next_attempt(case_id, 0) > 1)

    def take(self, case: BenchmarkCase, found: EvaluationCaseResult, usage: UsageByRole) -> None:
        """Add the line of a case, unless a final one is there.

        Raises:
            StoreError: an earlier line could not be written.
        """
        known = self.finished.is_final(case.case_id, 0)
        if known and not self.rescoring:
            return
        attempt = self.finished.next_attempt(case.case_id, 0)
        made = savable(self.projection.result(case, found, usage, attempt=attempt))
        self.finished.record(case.case_id, 0, attempt, ok=made.result.status == "completed")
        self.writer.submit(RUNS, made.line, partial(self._durable, made.result, counts=not known))

    def note_build(self, record: IngestRecord, *, tell: bool) -> None:
        """Add how a knowledge base was built; ``tell`` the listener of it."""
        if record.error is not None:
            record = record.model_copy(update={"error": self._redactor.error(record.error)})
        line = record.model_dump_json(exclude_none=True).encode("utf-8")
        heard = partial(self.listener.history_heard, self.experiment.name, record) if tell else None
        self.writer.submit(INGESTS, line, heard)

    def end(self, state: Literal["completed", "interrupted", "failed"], message: str | None = None) -> RunStatus:
        """Write the final status."""
        status = self.keeper.end(state, None if message is None else self._redactor.text(message))
        self.listener.experiment_ended(self.experiment.name, status)
        return status

    @property
    def is_whole(self) -> bool:
        """Whether every case has a line."""
        status = self.keeper.status
        return status.finished + status.errors >= status.total

    @property
    def is_sound(self) -> bool:
        """Whether every case has a line without an error, and none was being scored anew."""
        return self.keeper.status.finished >= self.keeper.status.total and not self.rescoring

    def _durable(self, result: RunResult, *, counts: bool) -> None:
        if counts:
            self.keeper.count(result)
        self.listener.result_durable(self.experiment.name, result, final=counts)


def _keeper(
    experiment: Experiment, folder: ExperimentFolder, run_id: str, asked: AskedCases, finished: FinishedIndex
) -> StatusKeeper:
    """Counts for the run as a whole: a smaller ``limit`` than before asks less and takes nothing back."""
    limit = widest_limit(asked.limit, folder.read_status(run_id))
    return StatusKeeper(
        folder,
        name=experiment.name,
        run_id=run_id,
        total=len(asked.all_case_ids[:limit]),
        finished=asked.finished_of(limit, finished),
        skipped=0,
        limit=limit,
    )
