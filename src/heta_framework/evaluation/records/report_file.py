"""``report.json``: what is said of a run as a whole, strict JSON; its cases are in files of their own beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import anyio.to_thread

from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.evaluation.errors import ReportFileError
from heta_framework.evaluation.records.case_log import CaseLog
from heta_framework.evaluation.records.inline_cases import inline_cases
from heta_framework.evaluation.records.record_folder import CASES, TEXTS
from heta_framework.evaluation.records.saved_cases import SavedCases
from heta_framework.evaluation.records.strict_json import decode, encode_for_people
from heta_framework.evaluation.types.case_result import EvaluationCaseResult
from heta_framework.evaluation.types.manifest import BenchmarkManifest
from heta_framework.evaluation.types.report import EvaluationReport
from heta_framework.evaluation.types.report_key import report_folder

_UNKNOWN_UNIT = "corpus"


async def save_report(objects: ObjectStoreProtocol, report: EvaluationReport) -> None:
    """Write the report under its ``report_key``. Cases that are in memory are written beside it first.

    Raises:
        ValueError: the report has no key.
        ObjectStoreError: the store refuses.
    """
    if report.report_key is None:
        raise ValueError("the report has no report_key, which says where to save it; see default_report_key")
    if not isinstance(report.case_results, SavedCases):
        await _save_cases(objects, report.report_key, report.query_modes, report.case_results)
    head = report.head_to_dict({"file": CASES, "texts": TEXTS, "count": len(report.case_results)})
    await objects.put(report.report_key, await anyio.to_thread.run_sync(encode_for_people, head))


async def load_report(objects: ObjectStoreProtocol, key: str) -> EvaluationReport:
    """The report under a key, its cases read when they are looked at.

    A report of the published heta-framework 0.1.2, which has its cases inside, is read as well, into memory.

    Raises:
        FileNotFoundError: there is none.
        ReportFileError: it is damaged or no report, or cases are missing.
    """
    data = await objects.get(key)
    return await _report_of(objects, key, await anyio.to_thread.run_sync(_decoded, data, key))


async def _report_of(objects: ObjectStoreProtocol, key: str, row: dict[str, Any]) -> EvaluationReport:
    saved = row.pop("case_results", None)
    try:
        if isinstance(saved, list):
            cases: Sequence[EvaluationCaseResult] = await anyio.to_thread.run_sync(inline_cases, saved)
        elif isinstance(saved, dict):
            cases = await _saved_cases(objects, key, saved)
        else:
            raise ValueError(f"case_results is {type(saved).__name__}")  # noqa: TRY301, TRY004
        benchmark = BenchmarkManifest(**row.pop("benchmark"))
        return EvaluationReport(**_known(row), benchmark=benchmark, case_results=cases)
    except (KeyError, TypeError, ValueError, AttributeError) as cause:
        raise ReportFileError(f"{key} is no report of a run ({type(cause).__name__}: {cause})") from cause


def _decoded(data: bytes, key: str) -> dict[str, Any]:
    try:
        row = decode(data)
    except ValueError as cause:
        raise ReportFileError(f"{key} is cut or altered: {cause}") from None
    if not isinstance(row, dict):
        raise ReportFileError(f"{key} is no report of a run: it holds a {type(row).__name__}, not an object")
    return row


def _known(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that a report has; a later version may have written others."""
    fields = EvaluationReport.__dataclass_fields__
    return {name: value for name, value in row.items() if name in fields}


async def _saved_cases(objects: ObjectStoreProtocol, key: str, saved: Mapping[str, Any]) -> SavedCases:
    cases = await SavedCases.open(objects, report_folder(key))
    if len(cases) != saved["count"]:
        raise ReportFileError(f"{key} is about {saved['count']:,} cases, and {CASES} beside it holds {len(cases):,}")
    return cases


async def _save_cases(
    objects: ObjectStoreProtocol, key: str, modes: Sequence[str], results: Sequence[EvaluationCaseResult]
) -> None:
    async with await CaseLog.open(objects, report_folder(key), modes=modes) as log:
        for ordinal, result in enumerate(results):
            log.submit(result, ordinal, result.metadata.get("benchmark_run_unit", _UNKNOWN_UNIT))
            await log.wait_for_room()
        await log.finish()
