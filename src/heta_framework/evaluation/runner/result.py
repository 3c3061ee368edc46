"""What a run gives back."""

from __future__ import annotations

from dataclasses import dataclass

from heta_framework.evaluation.types import EvaluationReport
from heta_framework.evaluation.types.fields import optional_text, put
from heta_framework.kb import KnowledgeBase


@dataclass(frozen=True)
class BenchmarkRunResult:
    """A finished run.

    Attributes:
        knowledge_bases: one a unit, in the order of the units; with ``discard_knowledge_bases`` they are only what the
            manifests tell.
        report: what was found.
        benchmark_document_keys: where the raw documents lie in the object store.
        report_key: where the report lies; None where it was not saved.

    Raises:
        ValueError: there is no knowledge base.
    """

    knowledge_bases: tuple[KnowledgeBase, ...]
    report: EvaluationReport
    benchmark_document_keys: tuple[str, ...]
    report_key: str | None = None

    def __post_init__(self) -> None:
        put(self, knowledge_bases=tuple(self.knowledge_bases))
        put(self, benchmark_document_keys=tuple(self.benchmark_document_keys))
        put(self, report_key=optional_text("report_key", self.report_key))
        if not self.knowledge_bases:
            raise ValueError("knowledge_bases must not be empty")
