"""Citations as results, so that evidence labels can be compared with them."""

from __future__ import annotations

from heta_framework.evaluation.evaluators.evidence.matcher import PlacedResult
from heta_framework.kb.search.types import QueryCitation, QueryResponse, QueryResult

_NO_TEXT = "…"  # a result must have one; no label's text is found in it


def cited_results(response: QueryResponse) -> list[PlacedResult]:
    """What each citation refers to: what the citation leaves out comes from the result that it names."""
    results = {result.id: result for result in response.results}
    return [PlacedResult(_cited(one, results.get(one.result_id or ""))) for one in response.citations]


def _cited(citation: QueryCitation, result: QueryResult | None) -> QueryResult:
    return QueryResult(
        id=citation.result_id or citation.id,
        text=citation.text or (result.text if result else _NO_TEXT),
        source=citation.source or (result.source if result else {}),
        metadata={**(result.metadata if result else {}), **citation.metadata},
    )
