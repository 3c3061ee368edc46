"""Results to be saved, made from a few words."""

from collections.abc import Callable
from typing import Any

import pytest

from heta_framework.common.stores import MemoryObjectStore
from heta_framework.evaluation.types import EvaluationCaseResult, EvaluationError, EvaluationScore
from heta_framework.kb.search.citations import cite
from heta_framework.kb.search.types import QueryResponse, QueryResult

MakeResult = Callable[..., EvaluationCaseResult]


@pytest.fixture
def make_result() -> MakeResult:
    """``make_result("c1")``; ``hits`` names chunks, ``scores`` maps names to values, ``failed`` leaves no response."""

    def make(
        case_id: str,
        *,
        mode: str = "vector_search",
        hits: tuple[int, ...] = (1, 2),
        scores: dict[str, Any] | None = None,
        failed: bool = False,
        metadata: dict[str, Any] | None = None,
    ) -> EvaluationCaseResult:
        question = f"what is {case_id}?"
        if failed:
            error = EvaluationError("no answer in time", "TimeoutError", retryable=True)
            return EvaluationCaseResult(case_id, question, mode, error=error, metadata=metadata or {})
        verdicts = tuple(EvaluationScore(name, value) for name, value in (scores or {"recall@5": 1.0}).items())
        return EvaluationCaseResult(case_id, question, mode, verdicts, _response(mode, hits), 1.5, None, metadata or {})

    return make


def _response(mode: str, hits: tuple[int, ...]) -> QueryResponse:
    results = tuple(_hit(number, rank) for rank, number in enumerate(hits, start=1))
    return QueryResponse(mode, results, citations=cite(results), metadata={"answer_generation": "disabled"})


def _hit(number: int, rank: int) -> QueryResult:
    source = {"document_id": f"d{number}", "object_key": f"raw/d{number}.txt", "chunk_ids": [f"chunk_{number}"]}
    found = {"search_asset": "chunk_vector_index:chunks", "source_key": f"raw/d{number}.txt", "hybrid_score": 1 / rank}
    return QueryResult(f"chunk_{number}", f"what chunk {number} says " * 20, 1 / rank, source=source, metadata=found)


@pytest.fixture
def memory_store() -> MemoryObjectStore:
    """A store that takes whole objects alone, as a bucket does."""
    return MemoryObjectStore()
