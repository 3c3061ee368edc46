"""What is compared in a case, in words: expected and found documents, expected and given answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from heams.recipe_evaluation.recalled import recalled_documents
from heta_framework.evaluation.types import BenchmarkCase, EvaluationCaseResult


@dataclass(frozen=True, slots=True)
class Compared:
    """A case beside what became of it.

    Attributes:
        ranks: at which place, from 1, the first result of each labelled document stands.
        expected_documents, found_documents: None where nothing is labelled.
        expected_answers: None where there are none.
        answer: None where none was given.
    """

    ranks: Mapping[str, int]
    expected_documents: str | None
    found_documents: str | None
    expected_answers: str | None
    answer: str | None

    @classmethod
    def of(cls, case: BenchmarkCase, found: EvaluationCaseResult) -> Self:
        """The comparison of a case."""
        labelled = evidence_ids(case)
        ranks = _ranks(labelled, found)
        places = ", ".join(f"{document} (rank {rank})" for document, rank in ranks.items())
        return cls(
            ranks=ranks,
            expected_documents=", ".join(labelled) or None,
            found_documents=(places or "none of them") if labelled else None,
            expected_answers=" | ".join(case.expected.answers) or None,
            answer=found.response.answer if found.response is not None else None,
        )


def evidence_ids(case: BenchmarkCase) -> list[str]:
    """What names each label of a case: the id that it refers to, or the place or text that it gives instead."""
    named = (
        label.reference_id or str(label.locator.get("document_id") or label.text or dict(label.locator))
        for label in case.expected.evidence
        if not _is_negative(label.metadata.get("relevance"))
    )
    return list(dict.fromkeys(named))


def _is_negative(relevance: Any) -> bool:
    return isinstance(relevance, int | float) and relevance <= 0


def _ranks(labelled: list[str], found: EvaluationCaseResult) -> dict[str, int]:
    if found.response is None or not labelled:
        return {}
    places: dict[str, int] = {}
    for place, documents in enumerate(recalled_documents(found.response), start=1):
        for document in documents:
            places.setdefault(document, place)
    return {document: places[document] for document in labelled if document in places}
