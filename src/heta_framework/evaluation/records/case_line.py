"""A case result as a line of ``cases.jsonl``: what repeats is referred to, what is empty is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heta_framework.evaluation.records.entry_book import EntryBook
from heta_framework.evaluation.records.quoting import QUOTES, alike, quotes_results
from heta_framework.evaluation.records.strict_json import encode
from heta_framework.evaluation.types.case_result import EvaluationCaseResult
from heta_framework.evaluation.types.score import EvaluationScore
from heta_framework.kb.search.types import QueryCitation, QueryResponse


def case_line(result: EvaluationCaseResult, ordinal: int, unit: str, book: EntryBook) -> bytes:
    """The line, without newline. It begins with what `line_head` reads."""
    response = result.response
    return encode(
        {
            "case_id": result.case_id,
            "query_mode": result.query_mode,
            "unit": unit,
            "ordinal": ordinal,
            "failed": result.error is not None,
            "query": result.query,
            **_filled(
                latency_ms=result.latency_ms,
                scores=_scores(result.scores),
                error=None if result.error is None else result.error.to_dict(),
                metadata=result.metadata,
                response=None if response is None else _response(response, book),
            ),
        }
    )


def _filled(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None and value not in ((), [], {})}


def _scores(scores: Sequence[EvaluationScore]) -> list[dict[str, Any]]:
    """Each score; ``metadata_of`` is the place of an earlier one whose metadata is the same."""
    kept: list[tuple[int, Mapping[str, Any]]] = []
    rows = []
    for place, score in enumerate(scores):
        row: dict[str, Any] = {"name": score.name, "value": score.value}
        if score.passed is not None:
            row["passed"] = score.passed
        if score.metadata:
            earlier = next((other for other, metadata in kept if alike(metadata, score.metadata)), None)
            if earlier is None:
                kept.append((place, score.metadata))
                row["metadata"] = score.metadata
            else:
                row["metadata_of"] = earlier
        rows.append(row)
    return rows


def _response(response: QueryResponse, book: EntryBook) -> dict[str, Any]:
    results = [
        {"ref": book.result_ref(one), **_filled(score=one.score), **book.metadata(one.metadata)}
        for one in response.results
    ]
    trace = [
        {"stage": event.stage, "message": event.message, **_filled(metadata=event.metadata)} for event in response.trace
    ]
    insights = [{"text": one.text, "evidence_ids": one.evidence_ids} for one in response.insights]
    return {
        "mode": response.mode,
        **_filled(
            answer=response.answer,
            results=results,
            citations=_citations(response, book),
            trace=trace,
            metadata=response.metadata,
            insights=insights,
        ),
    }


def _citations(response: QueryResponse, book: EntryBook) -> str | list[dict[str, Any]]:
    if response.citations and quotes_results(response):
        return QUOTES
    places = {result.id: place for place, result in reversed(list(enumerate(response.results)))}
    return [_citation(one, places.get(one.result_id or ""), response, book) for one in response.citations]


def _citation(citation: QueryCitation, place: int | None, response: QueryResponse, book: EntryBook) -> dict[str, Any]:
    """A citation; ``result`` is the place of the result whose id, text and source it has."""
    row: dict[str, Any] = {"id": citation.id, **_filled(metadata=citation.metadata)}
    if place is not None:
        quoted = response.results[place]
        if citation.text == quoted.text and alike(citation.source, quoted.source):
            return row | {"result": place}
    text_id = None if citation.text is None else book.text_id(citation.text)
    return row | _filled(result_id=citation.result_id, text_id=text_id, source=citation.source)
