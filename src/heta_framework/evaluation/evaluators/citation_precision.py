"""`CitationPrecision`: how much of what is cited is evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heta_framework.evaluation.evaluators.citation_evaluator import CitationEvaluator
from heta_framework.evaluation.evaluators.evidence.matcher import EvidenceMatcher, PlacedResult
from heta_framework.evaluation.types import BenchmarkEvidence, EvaluationScore


@dataclass(frozen=True)
class CitationPrecision(CitationEvaluator):
    """The share of the response's citations that the case's evidence labels mean, in [0, 1]; 0 without citations.

    Whether a citation supports the sentence that it stands behind is not asked: that takes a judge (`Faithfulness`).
    """

    @property
    def name(self) -> str:
        """``citation_precision``."""
        return "citation_precision"

    def compare(
        self, evidence: Sequence[BenchmarkEvidence], cited: Sequence[PlacedResult], matcher: EvidenceMatcher
    ) -> EvaluationScore:
        """Count the citations that some evidence means."""
        right = [one for one in cited if any(matcher.matches(label, one) for label in evidence)]
        wrong = [one.result.id for one in cited if one not in right]
        metadata = {"matched": len(right), "citations": len(cited), "not_in_evidence": wrong}
        return EvaluationScore(self.name, len(right) / len(cited) if cited else 0.0, metadata=metadata)
