"""Opens the record of a run: a new one, or that of an earlier process, if it is of the same run."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from heta_framework.evaluation.errors import ReportFileError, ReportMismatchError
from heta_framework.evaluation.records import CaseLog
from heta_framework.evaluation.runner.case_sink import CaseSink, MemorySink
from heta_framework.evaluation.runner.material import Material
from heta_framework.evaluation.runner.needs import Needs
from heta_framework.evaluation.runner.request import RunRequest
from heta_framework.evaluation.runner.run_file import BEING_MADE_ANEW, COMPLETE, RunFile, scores_are_old
from heta_framework.evaluation.runner.run_identity import engines_identity, evaluators_identity, recipe_identity
from heta_framework.evaluation.types import EVALUATION_SCHEMA_VERSION, default_report_key
from heta_framework.evaluation.types.report_key import report_folder


@dataclass
class OpenedRun:
    """A run whose cases can be taken in.

    Attributes:
        report_key: of the report; None where nothing is saved.
        log: the saved cases; None where nothing is saved.
        needs: what queries ask for: at least what those of the earlier process did.
        started_at: of the first process, ISO 8601 in UTC.
        is_rescored: whether saved responses have to be scored anew.
    """

    report_id: str
    report_key: str | None
    log: CaseLog | None
    needs: Needs
    started_at: str
    is_rescored: bool
    description: dict[str, Any]
    memory: MemorySink = field(default_factory=MemorySink)
    file: RunFile | None = None
    earlier: Mapping[str, Any] | None = None

    @property
    def sink(self) -> CaseSink:
        """Where finished cases go."""
        return self.log if self.log is not None else self.memory

    @property
    def folder(self) -> str | None:
        """Where the report's files lie."""
        return None if self.report_key is None else report_folder(self.report_key)

    async def begin(self, documents: Mapping[str, Any]) -> None:
        """Write down what the run is, now that the documents are known as well.

        Raises:
            ReportMismatchError: they are others than those of the earlier process.
        """
        if self.file is None:
            return
        self.description["documents"] = documents
        if self.earlier is not None:
            self.file.require_same(self.earlier, self.description)
        await self._write(BEING_MADE_ANEW if self.is_rescored else COMPLETE)

    async def scores_are_complete(self) -> None:
        """All saved responses have the scores of this run's evaluators."""
        await self._write(COMPLETE)

    async def _write(self, scores: str) -> None:
        if self.file is not None:
            await self.file.write({**self.description, "scores": scores, "started_at": self.started_at})


@asynccontextmanager
async def opened_run(request: RunRequest, material: Material) -> AsyncIterator[OpenedRun]:
    """The record of the run. Whatever was submitted is durable when the context is left, however it is left.

    Raises:
        ReportBusyError: another process writes it.
        ReportMismatchError: an earlier process began it with other settings.
        ReportFileError: its files are damaged.
    """
    report_id = request.config.report_id or f"eval_{uuid.uuid4().hex}"
    needs = Needs.of(request.config.top_k, request.evaluators)
    new = OpenedRun(report_id, None, None, needs, _now(), False, {})
    if not request.config.persist_report:
        yield new
        return
    new.report_key = default_report_key(request.knowledge_base_name, report_id)
    new.description = _description(request, material, new)
    folder = report_folder(new.report_key)
    async with await CaseLog.open(request.objects, folder, modes=request.query_modes) as log:
        new.file = RunFile(request.objects, folder)
        new.log = log
        if not log.done:
            yield new
            return
        going_on = _going_on(new, await new.file.read(), folder)
        _require_known(log, material, folder)
        yield going_on


def _going_on(run: OpenedRun, earlier: Mapping[str, Any] | None, folder: str) -> OpenedRun:
    if earlier is None or run.file is None:
        raise ReportFileError(
            f"{folder} holds cases of a run and no run.json that says of which; choose another report_id"
        )
    run.description = _as_it_was_asked(run.description, run.needs, earlier)
    run.file.require_same(earlier, run.description)
    needs = _held(run.needs, earlier["needs"], run.report_id)
    run.description["needs"] = _counts(needs)
    return replace(
        run,
        needs=needs,
        started_at=str(earlier["started_at"]),
        is_rescored=scores_are_old(earlier, run.description),
        earlier=earlier,
    )


def _require_known(log: CaseLog, material: Material, folder: str) -> None:
    """The saved cases are cases of the benchmark.

    Raises:
        ReportFileError: one is not, although the run is the same.
    """
    for case_id, mode in log.done:
        if case_id not in material.cases.ids:
            raise ReportFileError(
                f"{folder} is damaged: it holds a case {case_id!r} (in {mode}), which the benchmark does not have; "
                "choose another report_id"
            )


def _as_it_was_asked(description: dict[str, Any], needs: Needs, earlier: Mapping[str, Any]) -> dict[str, Any]:
    """The description with the earlier ``top_k``, where evaluators made both ask for the same number of results."""
    asked, saved = (earlier.get("asking") or {}).get("top_k"), earlier["needs"]
    if not isinstance(asked, int):
        return description
    held = replace(needs, results=saved["results"], documents=saved["documents"])
    is_same = replace(held, asked=asked).used == held.used
    return {**description, "asking": {**description["asking"], "top_k": asked}} if is_same else description


def _held(needs: Needs, saved: Mapping[str, int], report_id: str) -> Needs:
    """The needs of the earlier process, so that all responses hold equally much.

    Raises:
        ReportMismatchError: its responses hold less than evaluators look at by now.
    """
    for what, now, before in (
        ("results", max(needs.asked, needs.results), max(needs.asked, saved["results"])),
        ("documents", needs.documents, saved["documents"]),
    ):
        if now > before:
            raise ReportMismatchError(
                f"the saved responses of the report {report_id!r} hold {before} {what}, and an evaluator "
                f"({', '.join(needs.because)}) looks at {now}; choose another report_id"
            )
    return replace(needs, results=saved["results"], documents=saved["documents"])


def _description(request: RunRequest, material: Material, run: OpenedRun) -> dict[str, Any]:
    config = request.config
    return {
        "schema_version": EVALUATION_SCHEMA_VERSION,
        "report_id": run.report_id,
        "knowledge_base_name": request.knowledge_base_name,
        "benchmark_key": request.benchmark.manifest.key,
        "benchmark": request.benchmark.manifest.to_dict(),
        "recipe": recipe_identity(request.recipe, request.initial_artifacts),
        "query_modes": list(request.query_modes),
        "query_engines": engines_identity(request.query_engines, request.query_modes),
        "asking": {
            "top_k": config.top_k,
            "query_options": config.query_options,
            "trace": config.trace,
            "over_fetch_rounds": config.over_fetch_rounds,
        },
        "needs": _counts(run.needs),
        "evaluators": evaluators_identity(request.evaluators),
        "cases": material.cases.questions,
        "labels": material.cases.labels,
        "units": material.units_identity(),
        "config": asdict(config),
    }


def _counts(needs: Needs) -> dict[str, int]:
    return {"results": needs.results, "documents": needs.documents}


def _now() -> str:
    return datetime.now(UTC).isoformat()
