"""The result of a run: what was evaluated, how well it did, and every case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from heta_framework.common.stores.fields import required_text
from heta_framework.evaluation.types.case_result import EvaluationCaseResult
from heta_framework.evaluation.types.fields import mapping, optional_text, put, texts
from heta_framework.evaluation.types.json_safe import json_safe
from heta_framework.evaluation.types.manifest import BenchmarkManifest

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol

EVALUATION_SCHEMA_VERSION = "1"


@dataclass(frozen=True)
class EvaluationReport:
    """What a run found.

    Attributes:
        knowledge_base_manifest: of the knowledge base, or ``{"knowledge_bases": [...]}`` where units had their own.
        score_summary: ``{mode}.{score}`` -> mean. A failed case counts 0, a case without a label does not count.
        case_results: case by case, the modes of a case in the order asked; of a saved run, read when it is looked at.
        started_at, finished_at: ISO 8601 in UTC.
        report_key: where it is saved; None where it is not.
        score_details: the same keys -> ``mean``, ``n``, ``failed``, ``unlabelled``, 95 % ``interval`` and, where there
            are several units, ``units`` with the same figures of each.
    """

    report_id: str
    benchmark: BenchmarkManifest
    knowledge_base_name: str
    knowledge_base_manifest: Mapping[str, Any]
    recipe_manifest: Mapping[str, Any]
    query_modes: tuple[str, ...]
    score_summary: Mapping[str, float]
    case_results: Sequence[EvaluationCaseResult]
    started_at: str
    finished_at: str
    schema_version: str = EVALUATION_SCHEMA_VERSION
    report_key: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    score_details: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("report_id", "knowledge_base_name", "started_at", "finished_at", "schema_version"):
            put(self, **{name: required_text(name, getattr(self, name))})
        put(self, query_modes=texts("query_modes", self.query_modes))
        put(self, report_key=optional_text("report_key", self.report_key))
        for name in ("knowledge_base_manifest", "recipe_manifest", "score_summary", "metadata", "score_details"):
            put(self, **{name: mapping(name, getattr(self, name))})
        if isinstance(self.case_results, list):
            put(self, case_results=tuple(self.case_results))

    @classmethod
    async def load(cls, objects: ObjectStoreProtocol, key: str) -> EvaluationReport:
        """The report saved under a key, its cases read when they are looked at.

        Raises:
            FileNotFoundError: there is none.
            ReportFileError: it is damaged or no report.
        """
        from heta_framework.evaluation.records.report_file import load_report

        return await load_report(objects, key)

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-safe, with all cases and their texts; see `head_to_dict` for large runs."""
        return self._dict([one.to_dict() for one in self.case_results])

    def head_to_dict(self, case_results: Mapping[str, Any]) -> dict[str, Any]:
        """Everything but the cases, for which ``case_results`` stands."""
        return self._dict(dict(case_results))

    def _dict(self, case_results: object) -> dict[str, Any]:
        return {
            "schema_version": self.schema_version,
            "report_id": self.report_id,
            "report_key": self.report_key,
            "benchmark": self.benchmark.to_dict(),
            "knowledge_base_name": self.knowledge_base_name,
            "knowledge_base_manifest": json_safe(self.knowledge_base_manifest),
            "recipe_manifest": json_safe(self.recipe_manifest),
            "query_modes": list(self.query_modes),
            "score_summary": json_safe(self.score_summary),
            "case_results": case_results,
            "started_at": self.started_at,
            "finished_at": self.finished_at,
            "metadata": json_safe(self.metadata),
            "score_details": json_safe(self.score_details),
        }
