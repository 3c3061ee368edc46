"""`EvidenceRecallAtK`: how much of the evidence is among the first results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from heta_framework.common.stores.fields import positive
from heta_framework.evaluation.evaluators.evidence.matcher import (
    EvidenceMatcher,
    MatchRule,
    PlacedResult,
    described,
    usable_evidence,
)
from heta_framework.evaluation.evaluators.unlabelled import unlabelled
from heta_framework.evaluation.types import BenchmarkCase, EvaluationScore
from heta_framework.kb.search.types import QueryResponse


@dataclass(frozen=True)
class EvidenceRecallAtK:
    """The share of ``case.expected.evidence`` that the first ``k`` results hold, in [0, 1].

    An evidence may carry a locator, a ``reference_id`` and a text. With ``match="first"`` the first of them that it
    carries, in this order, decides alone: an evidence with a locator is found where the locator points, whatever the
    result says. With ``match="all"`` every label that it carries must hold of the same result, with ``match="any"`` one
    suffices.

    - A locator holds where all its keys do; see `heta_framework.evaluation.evaluators.evidence.locators`.
    - A ``reference_id`` is the id of the result, or of a document, raw key or chunk that it comes from.
    - A text holds where the result says it; see `heta_framework.evaluation.evaluators.evidence.wording`.

    The metadata say how many of how many were found (``matched``, ``expected``), which (``matched_reference_ids``),
    at which rank each was first found (``ranks``, from 1, None where it was not), and what is ``missing``. A case
    without evidence is unlabelled.

    Args:
        k: how many results are looked at, at least 1.
        match: ``first``, ``all`` or ``any``.
        text_coverage: the share of a label's text that a result must hold, in (0, 1].
        score_name: another name than ``evidence_recall@{k}``, so that two of them can stand beside each other.

    Raises:
        ValueError: ``k`` is not above 0, ``match`` is unknown, or ``text_coverage`` is out of its range.
    """

    counts_documents: ClassVar[bool] = False

    k: int = 5
    match: MatchRule = "first"
    text_coverage: float = 1.0
    score_name: str | None = None

    def __post_init__(self) -> None:
        positive("k", self.k)
        EvidenceMatcher(self.match, self.text_coverage)

    @property
    def name(self) -> str:
        """``evidence_recall@{k}``."""
        return self.score_name or f"evidence_recall@{self.k}"

    @property
    def required_top_k(self) -> int:
        """``k``."""
        return self.k

    def is_labelled(self, case: BenchmarkCase) -> bool:
        """Whether the case has evidence."""
        return bool(usable_evidence(case))

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        """Look for the case's evidence among the first results."""
        evidence = usable_evidence(case)
        if not evidence:
            return unlabelled(self.name, "case has no expected evidence")
        results = [PlacedResult(result) for result in response.results[: self.k]]
        matcher = EvidenceMatcher(self.match, self.text_coverage)
        ranks = [
            next((rank for rank, result in enumerate(results, start=1) if matcher.matches(one, result)), None)
            for one in evidence
        ]
        found = [one for one, rank in zip(evidence, ranks, strict=True) if rank is not None]
        missing = [one for one, rank in zip(evidence, ranks, strict=True) if rank is None]
        metadata: dict[str, Any] = {
            "matched": len(found),
            "expected": len(evidence),
            "matched_reference_ids": [one.reference_id for one in found if one.reference_id is not None],
            "ranks": ranks,
            "missing": [described(one) for one in missing],
        }
        return EvaluationScore(self.name, len(found) / len(evidence), metadata=metadata)
