"""`CitationRecall`: how much of the evidence is cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heta_framework.evaluation.evaluators.citation_evaluator import CitationEvaluator
from heta_framework.evaluation.evaluators.evidence.matcher import EvidenceMatcher, PlacedResult, described
from heta_framework.evaluation.types import BenchmarkEvidence, EvaluationScore


@dataclass(frozen=True)
class CitationRecall(CitationEvaluator):
    """The share of the case's evidence that the response cites, in [0, 1]."""

    @property
    def name(self) -> str:
        """``citation_recall``."""
        return "citation_recall"

    def compare(
        self, evidence: Sequence[BenchmarkEvidence], cited: Sequence[PlacedResult], matcher: EvidenceMatcher
    ) -> EvaluationScore:
        """Count the evidence that some citation refers to."""
        found = [one for one in evidence if any(matcher.matches(one, citation) for citation in cited)]
        missing = [described(one) for one in evidence if one not in found]
        metadata = {
            "matched": len(found),
            "expected": len(evidence),
            "matched_reference_ids": [one.reference_id for one in found if one.reference_id is not None],
            "missing": missing,
        }
        return EvaluationScore(self.name, len(found) / len(evidence), metadata=metadata)
