"""Case results from the rows inside a report of the published heta-framework 0.1.2."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from heta_framework.evaluation.records.case_reading import number
from heta_framework.evaluation.types.case_result import EvaluationCaseResult
from heta_framework.evaluation.types.score import EvaluationError, EvaluationScore
from heta_framework.kb.search.types import QueryCitation, QueryInsight, QueryResponse, QueryResult, QueryTraceEvent


def inline_cases(rows: Sequence[Mapping[str, Any]]) -> tuple[EvaluationCaseResult, ...]:
    """The results of ``case_results``. A score that is not a finite number, which could be written there, is left out.

    Raises:
        KeyError, TypeError, ValueError: these are no case results.
    """
    return tuple(_case(row) for row in rows)


def _case(row: Mapping[str, Any]) -> EvaluationCaseResult:
    response, error = row["response"], row["error"]
    return EvaluationCaseResult(
        case_id=row["case_id"],
        query=row["query"],
        query_mode=row["query_mode"],
        scores=tuple(EvaluationScore(**score) for score in row["scores"] if _is_score(score["value"])),
        response=None if response is None else _response(response),
        latency_ms=row["latency_ms"],
        error=None if error is None else EvaluationError(**error),
        metadata=row["metadata"],
    )


def _is_score(value: object) -> bool:
    return value is not None and not (isinstance(value, float) and not math.isfinite(value))


def _response(row: Mapping[str, Any]) -> QueryResponse:
    return QueryResponse(
        mode=row["mode"],
        results=tuple(QueryResult(**{**one, "score": number(one["score"])}) for one in row["results"]),
        answer=row["answer"],
        citations=tuple(QueryCitation(**one) for one in row["citations"]),
        trace=tuple(QueryTraceEvent(**one) for one in row["trace"]),
        metadata=row["metadata"],
        insights=tuple(QueryInsight(**one) for one in row.get("insights", ())),
    )
