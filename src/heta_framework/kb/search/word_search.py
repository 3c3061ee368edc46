"""What the searches for words have in common: the response to their hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from heta_framework.kb.search.assets import SearchAsset
from heta_framework.kb.search.context import QueryContext
from heta_framework.kb.search.responding import respond
from heta_framework.kb.search.types import QueryRequest, QueryResponse, QueryResult, QueryTraceEvent


class WordSearch(Protocol):
    """What is asked of the engine."""

    @property
    def mode(self) -> str:
        """Its query mode."""
        ...

    @property
    def language_model(self) -> str | None:
        """The name of the model that answers; None for the recipe's own."""
        ...


async def respond_with_words(
    engine: WordSearch,
    request: QueryRequest,
    context: QueryContext,
    asset: SearchAsset,
    results: Sequence[QueryResult],
    found: Mapping[str, Any],
) -> QueryResponse:
    """The response of an engine that searched the words of an asset.

    Args:
        found: where and how it searched; goes into the metadata and the trace.
    """
    event = QueryTraceEvent(
        engine.mode,
        f"Searched the words of {asset.name}.",
        {**found, "top_k": request.top_k, "result_count": len(results)},
    )
    return await respond(
        request,
        context,
        mode=engine.mode,
        results=results,
        metadata={**found, "retrieval_method": engine.mode},
        trace=(event,),
        language_model=engine.language_model,
    )
