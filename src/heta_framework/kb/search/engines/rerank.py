"""``heta_rerank_search``: hybrid and full-text candidates, fused, then in a reranker's order where there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from heta_framework.kb.components import model_ref
from heta_framework.kb.search.asking_modes import ask_all, traces_of
from heta_framework.kb.search.assets import SearchAssetRef
from heta_framework.kb.search.base_modes import BASE_MODES, FEWEST_BASE_MODES, FULL_TEXT, HYBRID, RERANK
from heta_framework.kb.search.context import QueryContext
from heta_framework.kb.search.engines.hybrid import MODES_OPTION
from heta_framework.kb.search.fusing import Ranking, fuse
from heta_framework.kb.search.issues import QueryIssue, issues_of_all
from heta_framework.kb.search.options import candidate_count, passed_down, rrf_constant
from heta_framework.kb.search.reranking import rerank
from heta_framework.kb.search.responding import respond
from heta_framework.kb.search.types import QueryRequest, QueryResponse, QueryResult, QueryTraceEvent


@dataclass(frozen=True)
class RerankSearchEngine:
    """Fuses its candidate modes without weights and lets ``models.reranker`` choose the best.

    ``hybrid_search`` among the candidate modes stands for the base modes that are not candidates themselves, so that
    none is counted twice: with vectors, full text and a graph it is the pair of vectors and graph; where only one of
    the pair is there, that one is asked itself.

    Attributes:
        reranker_model, language_model: names of the recipe's models; None for its own.
    """

    mode: str = RERANK
    candidate_modes: tuple[str, ...] = (HYBRID, FULL_TEXT)
    reranker_model: str | None = None
    language_model: str | None = None

    @property
    def required_assets(self) -> frozenset[SearchAssetRef]:
        """None of its own: the modes that it asks know what they need."""
        return frozenset()

    @property
    def base_modes(self) -> tuple[str, ...]:
        """The modes that it draws on, directly or through hybrid search."""
        if HYBRID not in self.candidate_modes:
            return self.candidate_modes
        return tuple(dict.fromkeys((*BASE_MODES, *(mode for mode in self.candidate_modes if mode != HYBRID))))

    @property
    def fewest_base_modes(self) -> int:
        """How many of them it needs."""
        return min(FEWEST_BASE_MODES, len(self.base_modes))

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        """Ask the candidate modes concurrently, fuse, rerank.

        Raises:
            ValueError: an option is wrong.
        """
        count = candidate_count(request)
        calls = _calls(self.candidate_modes, passed_down(request, top_k=count), context)
        responses = await ask_all(context, calls)
        rankings = [Ranking(mode, response.results) for (mode, _), response in zip(calls, responses, strict=True)]
        candidates = fuse(rankings, k=rrf_constant(request), top_k=count, score_name="rrf_score")
        order = await self._in_order(candidates, request, context)
        metadata = {
            "candidate_modes": tuple(mode for mode, _ in calls),
            "candidate_count": len(candidates),
            "used_reranker": order.model_name is not None,
            "reranker_model": order.model_name,
        }
        event = QueryTraceEvent(
            self.mode,
            f"Fused {len(candidates)} candidates"
            + (f" and reranked them by {order.model_name}." if order.model_name else "."),
            {**metadata, "result_count": len(order.results)},
        )
        return await respond(
            request,
            context,
            mode=self.mode,
            results=order.results,
            metadata=metadata,
            trace=(*traces_of(responses), event),
            issues=(*issues_of_all(responses), *order.issues),
            language_model=self.language_model,
        )

    async def _in_order(
        self, candidates: Sequence[QueryResult], request: QueryRequest, context: QueryContext
    ) -> _Order:
        model = context.find_component(model_ref("reranker", self.reranker_model))
        if model is None or not candidates:
            return _Order(tuple(candidates[: request.top_k]))
        reranked = await rerank(model, request.text, candidates, request.top_k, {"query_mode": self.mode})
        if reranked.problem:
            return _Order(reranked.results, issues=(reranked.problem,))
        return _Order(reranked.results, model.model_name)


@dataclass(frozen=True)
class _Order:
    """The results in their final order; ``model_name`` where a reranker decided on it."""

    results: tuple[QueryResult, ...]
    model_name: str | None = None
    issues: Sequence[QueryIssue] = field(default=())


def _calls(
    candidate_modes: tuple[str, ...], request: QueryRequest, context: QueryContext
) -> list[tuple[str, QueryRequest]]:
    """What to ask whom: every candidate mode that is available, hybrid search for the base modes that are left."""
    direct = context.available(mode for mode in candidate_modes if mode != HYBRID)
    calls = dict.fromkeys(direct, request)
    if HYBRID in candidate_modes:
        left = context.available(mode for mode in BASE_MODES if mode not in direct)
        calls = {**_hybrid_calls(left, request), **calls}
    return list(calls.items())


def _hybrid_calls(left: tuple[str, ...], request: QueryRequest) -> Mapping[str, QueryRequest]:
    if len(left) < FEWEST_BASE_MODES:
        return dict.fromkeys(left, request)
    options: dict[str, Any] = {MODES_OPTION: left, **request.options}
    return {HYBRID: replace(request, options=options)}
