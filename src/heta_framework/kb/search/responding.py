"""Puts a response together: results, citations, an answer where one is asked for, trace and issues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heta_framework.kb.search.answering import Answer, answer_from
from heta_framework.kb.search.citations import cite
from heta_framework.kb.search.context import QueryContext
from heta_framework.kb.search.issues import QueryIssue
from heta_framework.kb.search.types import QueryRequest, QueryResponse, QueryResult, QueryTraceEvent


async def respond(
    request: QueryRequest,
    context: QueryContext,
    *,
    mode: str,
    results: Sequence[QueryResult],
    metadata: Mapping[str, Any],
    trace: Sequence[QueryTraceEvent] = (),
    issues: Sequence[QueryIssue] = (),
    language_model: str | None = None,
) -> QueryResponse:
    """The response of an engine that answers from its results.

    Args:
        metadata: of the engine; ``answer_generation`` and, where there are any, ``issues`` are added.
        trace: what was done; kept only where the request asks for it.
        language_model: the name of the model that answers; None for the recipe's own.
    """
    answer = await answer_from(results, request, context, mode=mode, language_model=language_model)
    return assemble(request, mode=mode, results=results, metadata=metadata, trace=trace, issues=issues, answer=answer)


def assemble(
    request: QueryRequest,
    *,
    mode: str,
    results: Sequence[QueryResult],
    metadata: Mapping[str, Any],
    trace: Sequence[QueryTraceEvent],
    issues: Sequence[QueryIssue],
    answer: Answer,
) -> QueryResponse:
    """The response with an answer that is there already."""
    all_issues = (*issues, *answer.issues)
    return QueryResponse(
        mode,
        tuple(results),
        answer.text,
        cite(results),
        tuple(trace) if request.trace else (),
        {**metadata, **answer.metadata, **({"issues": all_issues} if all_issues else {})},
    )
