"""What the evaluators of citations share: the labels are evidence, what is looked at are the response's citations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heta_framework.evaluation.evaluators.evidence.citations import cited_results
from heta_framework.evaluation.evaluators.evidence.matcher import (
    EvidenceMatcher,
    MatchRule,
    PlacedResult,
    usable_evidence,
)
from heta_framework.evaluation.evaluators.unlabelled import unlabelled
from heta_framework.evaluation.types import BenchmarkCase, BenchmarkEvidence, EvaluationScore
from heta_framework.kb.search.types import QueryResponse


@dataclass(frozen=True)
class CitationEvaluator(ABC):
    """Compares ``response.citations`` with ``case.expected.evidence``; a case without evidence is unlabelled.

    Args:
        match: which of an evidence's labels decide, as for `EvidenceRecallAtK`.
        text_coverage: the share of a label's text that a citation must hold, in (0, 1].

    Raises:
        ValueError: one of them is something else.
    """

    required_top_k: ClassVar[int] = 0
    counts_documents: ClassVar[bool] = False

    match: MatchRule = "first"
    text_coverage: float = 1.0

    def __post_init__(self) -> None:
        EvidenceMatcher(self.match, self.text_coverage)

    @property
    @abstractmethod
    def name(self) -> str:
        """Of the score."""

    @abstractmethod
    def compare(
        self, evidence: Sequence[BenchmarkEvidence], cited: Sequence[PlacedResult], matcher: EvidenceMatcher
    ) -> EvaluationScore:
        """The verdict on what was cited; there is at least one evidence."""

    def is_labelled(self, case: BenchmarkCase) -> bool:
        """Whether the case has evidence."""
        return bool(usable_evidence(case))

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        """Compare the response's citations with the case's evidence."""
        evidence = usable_evidence(case)
        if not evidence:
            return unlabelled(self.name, "case has no expected evidence")
        return self.compare(evidence, cited_results(response), EvidenceMatcher(self.match, self.text_coverage))
