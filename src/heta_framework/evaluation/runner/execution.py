"""One run from its beginning to its report."""

from __future__ import annotations

from collections.abc import Sequence

from heta_framework.evaluation.errors import AllCasesFailedError
from heta_framework.evaluation.runner.documents import StoredDocuments, store_documents
from heta_framework.evaluation.runner.knowledge_bases import UnitBuilder
from heta_framework.evaluation.runner.material import Material, opened_material
from heta_framework.evaluation.runner.query_phase import QueryPhase
from heta_framework.evaluation.runner.reporting import make_report
from heta_framework.evaluation.runner.request import RunRequest
from heta_framework.evaluation.runner.result import BenchmarkRunResult
from heta_framework.evaluation.runner.run_opening import OpenedRun, opened_run
from heta_framework.evaluation.runner.scoring import Scorer
from heta_framework.evaluation.runner.tally import Tally
from heta_framework.evaluation.runner.unit_files import UnitFiles
from heta_framework.evaluation.runner.unit_work import UnitWork
from heta_framework.kb import KnowledgeBase


async def execute(request: RunRequest) -> BenchmarkRunResult:
    """Run it; see `BenchmarkRunner.run`."""
    async with opened_material(request) as material, opened_run(request, material) as run:
        documents = await store_documents(
            request.benchmark,
            material.prepared,
            ids=material.document_ids,
            objects=request.objects,
            largest=request.config.max_document_bytes,
            watcher=request.watcher,
        )
        await run.begin(documents.identity)
        scorer = Scorer(request.evaluators, request.config.query_timeout_s)
        await _score_saved(request, material, run, scorer)
        tally = _tally(request, material, run)
        knowledge_bases = await _work(request, material, run, documents, scorer, tally)
        return await _reported(request, material, run, documents, knowledge_bases, tally)


async def _score_saved(request: RunRequest, material: Material, run: OpenedRun, scorer: Scorer) -> None:
    if run.is_rescored and run.log is not None:
        from heta_framework.evaluation.runner.rescoring import score_anew

        await score_anew(
            run.log, material.cases, scorer, request.config, watcher=request.watcher, on_case=request.on_case
        )
        await run.scores_are_complete()


def _tally(request: RunRequest, material: Material, run: OpenedRun) -> Tally:
    done = sum(key not in run.sink.failed for key in run.sink.done)
    total = material.question_count * len(request.query_modes)
    return Tally("query", total, done=done, watcher=request.watcher, on_case=request.on_case)


async def _work(
    request: RunRequest, material: Material, run: OpenedRun, documents: StoredDocuments, scorer: Scorer, tally: Tally
) -> tuple[KnowledgeBase, ...]:
    phase = QueryPhase(
        cases=material.cases,
        modes=request.query_modes,
        scorer=scorer,
        needs=run.needs,
        config=request.config,
        sink=run.sink,
        tally=tally,
    )
    builder = UnitBuilder(
        recipe=request.recipe,
        objects=request.objects,
        benchmark=request.benchmark.manifest.key,
        documents=documents,
        config=request.config,
        watcher=request.watcher,
        engines=request.query_engines,
        initial_artifacts=request.initial_artifacts,
    )
    files = UnitFiles(request.objects, run.folder)
    return await UnitWork(builder, phase, files, request.config).run(material.units)


async def _reported(
    request: RunRequest,
    material: Material,
    run: OpenedRun,
    documents: StoredDocuments,
    knowledge_bases: Sequence[KnowledgeBase],
    tally: Tally,
) -> BenchmarkRunResult:
    cases = await run.sink.finish()
    report = await make_report(
        request, material, run, documents=documents, cases=cases, knowledge_bases=knowledge_bases
    )
    if run.report_key is not None:
        from heta_framework.evaluation.records import save_report

        await save_report(request.objects, report)
    if tally.all_failed:
        raise _all_failed(tally, run.report_key)
    return BenchmarkRunResult(tuple(knowledge_bases), report, documents.keys, run.report_key)


def _all_failed(tally: Tally, report_key: str | None) -> AllCasesFailedError:
    first = tally.first_failure[1] if tally.first_failure else None
    cause = f"{first.error.error_type}: {first.error.message}" if first and first.error else "no case was asked"
    where = f"; the report is at {report_key}" if report_key else ""
    case = f" (the first, {first.case_id!r} in {first.query_mode})" if first else ""
    return AllCasesFailedError(f"all {tally.done} cases failed{case}: {cause}{where}", report_key)
