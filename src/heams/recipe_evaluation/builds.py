"""Watches knowledge bases being built, and records each: documents, seconds, usage, and what went otherwise."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING

from heams.orchestration.errors import describe_error
from heams.orchestration.hearing_progress import HearingProgress
from heams.orchestration.results import ErrorInfo, IngestRecord
from heams.scenarios.usage import usage_since
from heta_framework.common.models.calls.scope import CallScope
from heta_framework.common.models.usage import Usage, UsageByRole
from heta_framework.evaluation.runner.over_fetch import chunk_count
from heta_framework.evaluation.runner.progress import BUILT, RunProgress
from heta_framework.kb.lifecycle.run_files import RunFiles

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
    from heta_framework.kb.run_record import RecipeRunRecord


@dataclass(slots=True)
class Build:
    """One knowledge base on its way. ``steps``: whether anything was built, and not only found again."""

    unit_id: str
    knowledge_base: str
    hearing: HearingProgress
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    began: float = field(default_factory=perf_counter)
    steps: int = 0
    seconds: float = 0.0
    usage: UsageByRole = field(default_factory=dict)
    ended: bool = False
    recorded: bool = False


class BuildWatch:
    """Follows the progress of a run.

    ``scope`` counts the calls of models that belong to no query: what it has gained when a build ends is the build's.
    ``documents_of`` says how many documents a unit has, None where it has all.
    """

    def __init__(
        self,
        scope: CallScope,
        *,
        knowledge_base_of: Callable[[str], str],
        documents_of: Mapping[str, int],
        on_begun: Callable[[HearingProgress], None],
    ) -> None:
        self._scope = scope
        self._knowledge_base_of = knowledge_base_of
        self._documents_of = documents_of
        self._on_begun = on_begun
        self._attributed: UsageByRole = {}
        self._all_documents = 0
        self.builds: dict[str, Build] = {}

    def follow(self, progress: RunProgress) -> None:
        """Take in what a run says of itself."""
        if progress.phase == "documents" and progress.total is not None:
            self._all_documents = progress.total
        if progress.phase != "build" or progress.unit_id is None:
            return
        build = self.builds.get(progress.unit_id) or self._begun(progress.unit_id)
        if progress.message == BUILT:
            self._end(build)
        else:
            build.steps += 1
            of_all = f" of {progress.total:,}" if progress.total else ""
            build.hearing.doing = f"building {build.knowledge_base}: {progress.message} {progress.done:,}{of_all}"

    def fail(self) -> None:
        """The run ended: what is still being built will not be finished."""
        for build in self.builds.values():
            if not build.ended:
                self._end(build)

    def to_be_recorded(self) -> list[Build]:
        """The builds that ended and are in no record yet."""
        return [build for build in self.builds.values() if build.ended and not build.recorded]

    def _begun(self, unit_id: str) -> Build:
        documents = self._documents_of.get(unit_id) or self._all_documents
        name = self._knowledge_base_of(unit_id)
        build = self.builds[unit_id] = Build(unit_id, name, HearingProgress(unit_id, documents))
        build.hearing.doing = f"building {name}"
        self._on_begun(build.hearing)
        return build

    def _end(self, build: Build) -> None:
        build.ended = build.hearing.ended = True
        build.hearing.heard = build.hearing.events
        build.seconds = perf_counter() - build.began
        now = self._scope.usage
        build.usage = _gained(self._attributed, now)
        self._attributed = now


async def record_of(
    build: Build, run_id: str, objects: ObjectStoreProtocol, failure: BaseException | None
) -> IngestRecord:
    """What is saved of a build. ``failure`` is what the run ended with, for a build that was not finished."""
    record = (await RunFiles(objects, build.knowledge_base).standing()).record
    error = _error(record, failure)
    chunks = chunk_count(record.artifacts) if record is not None else None
    return IngestRecord(
        run_id=run_id,
        history_id=build.unit_id,
        status="completed" if error is None else "error",
        ingestion="direct",
        isolation="read_only",
        events=build.hearing.events,
        restored=error is None and build.steps == 0,
        usage=build.usage,
        seconds=build.seconds,
        unsupported=_issues(record) if record is not None else (),
        tallies={"chunks": chunks} if chunks is not None else {},
        error=error,
        started_at=build.started_at,
        finished_at=datetime.now(UTC),
    )


def _gained(before: UsageByRole, now: UsageByRole) -> UsageByRole:
    """What was added; evaluators that judge while others build tell what they used with their scores."""
    gained = {
        role: spent if role not in before else usage_since(before[role], spent)
        for role, spent in now.items()
        if role != "judge"
    }
    return {role: spent for role, spent in gained.items() if spent != Usage()}


def _error(record: RecipeRunRecord | None, failure: BaseException | None) -> ErrorInfo | None:
    """Why there is no finished knowledge base; None where there is one."""
    if record is not None and record.status == "succeeded":
        return None
    if isinstance(failure, asyncio.CancelledError):
        return ErrorInfo(phase="ingest", type="Interrupted", message="a stop was asked for before the build had ended")
    if failure is not None:
        return describe_error("ingest", failure, 0)
    failed = [step for step in record.step_records if step.status == "failed"] if record is not None else []
    words = f"step {failed[0].step_name!r} failed: {failed[0].error}" if failed else "the build did not come to its end"
    return ErrorInfo(phase="ingest", type="KnowledgeBuildError", message=words)


def _issues(record: RecipeRunRecord) -> tuple[str, ...]:
    """What went otherwise than asked: documents that could not be read, by kind, with the first of them."""
    counts = Counter(issue.code for issue in record.issues)
    first = {issue.code: f"{issue.subject.id}: {issue.message}" for issue in reversed(record.issues)}
    return tuple(f"{code} ({count:,}), such as {first[code]}" for code, count in counts.items())
