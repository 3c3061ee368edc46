"""``heta_rewrite_search``: the question in other words, each wording searched for, the results fused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from heta_framework.kb.components import model_ref
from heta_framework.kb.search.asking_modes import ask_all, traces_of
from heta_framework.kb.search.base_modes import RERANK
from heta_framework.kb.search.context import QueryContext
from heta_framework.kb.search.fusing import Ranking, fuse
from heta_framework.kb.search.issues import QueryIssue, issue, issues_of_all
from heta_framework.kb.search.lexical_variants import lexical_variants
from heta_framework.kb.search.model_calls import ask_for_json
from heta_framework.kb.search.one_base_mode import OneBaseMode
from heta_framework.kb.search.options import passed_down, rrf_constant
from heta_framework.kb.search.prompts import render
from heta_framework.kb.search.responding import respond
from heta_framework.kb.search.types import QueryRequest, QueryResponse, QueryTraceEvent

_MOST_VARIANTS = 3


@dataclass(frozen=True)
class RewriteSearchEngine(OneBaseMode):
    """Asks a language model for up to three other wordings and runs the base mode for each, concurrently.

    Without a language model the wordings are made of the question's own words, see
    `heta_framework.kb.search.lexical_variants`, and ``metadata["reasoning"]`` is ``lexical``. Where a model gives
    none, the base mode is asked the question itself and ``metadata["fallback"]`` is true.

    Attributes:
        base_mode: answers each wording.
        language_model: the name of the model that rewrites and answers; None for the recipe's own.
    """

    mode: str = "heta_rewrite_search"
    base_mode: str = RERANK
    language_model: str | None = None

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        """Rewrite, ask the base mode for every wording, fuse.

        Raises:
            ValueError: an option is wrong.
        """
        wordings = await self._wordings(request, context)
        calls = [(self.base_mode, passed_down(request, text=text)) for text in wordings.variations or (request.text,)]
        responses = await ask_all(context, calls)
        results = list(responses[0].results)
        if wordings.variations:
            rankings = [Ranking(self.base_mode, response.results) for response in responses]
            results = fuse(rankings, k=rrf_constant(request), top_k=request.top_k, score_name="rrf_score")
        metadata = {"base_mode": self.base_mode, "variations": wordings.variations, **wordings.notes}
        event = QueryTraceEvent(
            self.mode,
            f"Searched for {len(wordings.variations)} wordings of the question."
            if wordings.variations
            else "Searched for the question as it is.",
            {"base_mode": self.base_mode, "variations": wordings.variations, "result_count": len(results)},
        )
        return await respond(
            request,
            context,
            mode=self.mode,
            results=results,
            metadata={**metadata, "issues": ()},
            trace=(*traces_of(responses), event),
            issues=(*wordings.issues, *issues_of_all(responses)),
            language_model=self.language_model,
        )

    async def _wordings(self, request: QueryRequest, context: QueryContext) -> _Wordings:
        model = context.find_component(model_ref("language", self.language_model))
        if model is None:
            return _Wordings(lexical_variants(request.text), {"reasoning": "lexical"})
        prompt = render("rewrite", {"question": request.text})
        reply = await ask_for_json(model, prompt, {"query_mode": self.mode}, frozenset({"queries"}))
        if reply.failed:
            return _none("rewrite_failed", f"No other wordings: {reply.problem}.")
        queries = (reply.fields or {}).get("queries")
        if not isinstance(queries, list):
            return _none("rewrite_invalid_output", "The language model gave no list of queries.")
        variations = _distinct(queries)
        return _Wordings(variations) if variations else _none("rewrite_empty_output", "The list of queries is empty.")


@dataclass(frozen=True)
class _Wordings:
    """What to search for; none stands for the question as it is. ``notes`` go into the response's metadata."""

    variations: tuple[str, ...] = ()
    notes: dict[str, Any] = field(default_factory=dict)
    issues: tuple[QueryIssue, ...] = ()


def _none(code: str, message: str) -> _Wordings:
    return _Wordings((), {"fallback": True}, (issue(code, message, "used_base_search"),))


def _distinct(queries: Iterable[object]) -> tuple[str, ...]:
    texts = (query.strip() for query in queries if isinstance(query, str))
    return tuple(dict.fromkeys(text for text in texts if text))[:_MOST_VARIANTS]
