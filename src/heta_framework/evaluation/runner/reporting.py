"""Makes the report of a run: means over all cases, and what the run was made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from anyio import to_thread

from heta_framework.evaluation.records import SavedCases, ScoreBook
from heta_framework.evaluation.runner.documents import StoredDocuments
from heta_framework.evaluation.runner.material import Material
from heta_framework.evaluation.runner.request import RunRequest
from heta_framework.evaluation.runner.run_opening import OpenedRun
from heta_framework.evaluation.runner.unit_manifests import issues_of, slim_manifest
from heta_framework.evaluation.types import EvaluationCaseResult, EvaluationReport
from heta_framework.kb import KnowledgeBase

_MOST_UNITS_WITH_ISSUES = 100


async def make_report(
    request: RunRequest,
    material: Material,
    run: OpenedRun,
    *,
    documents: StoredDocuments,
    cases: Sequence[EvaluationCaseResult],
    knowledge_bases: Sequence[KnowledgeBase],
) -> EvaluationReport:
    """The report; it is not saved yet."""
    book = await to_thread.run_sync(_book, cases, [one.name for one in request.evaluators])
    details = await to_thread.run_sync(book.details)
    return EvaluationReport(
        report_id=run.report_id,
        benchmark=request.benchmark.manifest,
        knowledge_base_name=request.knowledge_base_name,
        knowledge_base_manifest=_manifests(knowledge_bases),
        recipe_manifest=request.recipe.manifest().to_dict(),
        query_modes=request.query_modes,
        score_summary={name: found["mean"] for name, found in details.items() if found["mean"] is not None},
        case_results=cases,
        started_at=run.started_at,
        finished_at=datetime.now(UTC).isoformat(),
        report_key=run.report_key,
        metadata={**request.config.metadata, **_evidence(material, run, documents, knowledge_bases)},
        score_details=details,
    )


def _book(cases: Sequence[EvaluationCaseResult], names: Sequence[str]) -> ScoreBook:
    if isinstance(cases, SavedCases):
        return ScoreBook.of_cases(cases, names)
    book = ScoreBook(names)
    for result in cases:
        book.add(result, result.metadata["benchmark_run_unit"])
    return book


def _manifests(knowledge_bases: Sequence[KnowledgeBase]) -> dict[str, Any]:
    manifests = [slim_manifest(kb) for kb in knowledge_bases]
    return manifests[0] if len(manifests) == 1 else {"knowledge_bases": manifests}


def _evidence(
    material: Material, run: OpenedRun, documents: StoredDocuments, knowledge_bases: Sequence[KnowledgeBase]
) -> Mapping[str, Any]:
    asked = material.question_count
    return {
        "benchmark_documents": documents.identity,
        "benchmark_cases": {**material.cases.questions, "in_no_unit": len(material.cases) - asked},
        "run_units": [
            {
                "unit_id": unit.unit_id,
                "knowledge_base_name": unit.knowledge_base_name,
                "documents": len(unit.documents),
                "cases": len(unit.cases),
            }
            for unit in material.units
        ],
        "top_k": run.needs.to_dict(),
        "build_issues": _issues(material, knowledge_bases),
    }


def _issues(material: Material, knowledge_bases: Sequence[KnowledgeBase]) -> dict[str, Any]:
    """By unit; of very many units with issues, the first hundred."""
    found = {
        unit.unit_id: issues
        for unit, kb in zip(material.units, knowledge_bases, strict=True)
        if (issues := issues_of(kb.run_record))
    }
    return dict(list(found.items())[:_MOST_UNITS_WITH_ISSUES])
