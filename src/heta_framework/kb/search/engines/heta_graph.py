"""``heta_graph_search``: entities and relations that a question is about, with the passages that state them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heta_framework.kb.graphing.searching.evidence import Key, carries, chunks_of
from heta_framework.kb.graphing.searching.expansion import Facts, expanded
from heta_framework.kb.graphing.searching.fact_hits import FactHit, first_hits
from heta_framework.kb.graphing.searching.fact_results import fact_result
from heta_framework.kb.graphing.searching.opened_graph import TABLES, OpenedGraph
from heta_framework.kb.search.assets import SearchAssetRef
from heta_framework.kb.search.base_modes import GRAPH
from heta_framework.kb.search.context import QueryContext
from heta_framework.kb.search.options import whole
from heta_framework.kb.search.query_vectors import question_vector
from heta_framework.kb.search.record_filters import record_filters
from heta_framework.kb.search.responding import respond
from heta_framework.kb.search.types import QueryRequest, QueryResponse, QueryResult, QueryTraceEvent

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_EVIDENCE_TOP_K = 3
_RELATION_EXPAND_LIMIT = 20


@dataclass(frozen=True)
class HetaGraphSearch:
    """Facts near the question, and those one step further at 0.95 of the score.

    Half of ``top_k`` is asked of the entities, the rest of the relations; of each fact the best score counts. Where the
    graph has no vectors, or the question none, facts are found by their names (``metadata["reasoning"]``: ``lexical``).

    Attributes:
        embedding_model, language_model: names of the recipe's models; None for its own.
    """

    mode: str = GRAPH
    embedding_model: str | None = None
    language_model: str | None = None

    @property
    def required_assets(self) -> frozenset[SearchAssetRef]:
        """The tables; the vectors are used where they are there."""
        return frozenset({TABLES})

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        """Find facts; options ``evidence_top_k`` (3) and ``relation_expand_limit`` (20)."""
        evidence_top_k = whole(request.options, "evidence_top_k", _EVIDENCE_TOP_K)
        limit = whole(request.options, "relation_expand_limit", _RELATION_EXPAND_LIMIT, least=0)
        graph = OpenedGraph.of(context, embedding_model=self.embedding_model)
        vector = await self._vector(graph, request)
        counts = (request.top_k // 2, request.top_k - request.top_k // 2)
        entities, relations = await first_hits(graph, context, request.text, vector, counts)
        hits, facts = await expanded(graph.reader, entities, relations, limit)
        results = await _results(request, graph, hits, facts, evidence_top_k)
        event = QueryTraceEvent(
            self.mode,
            "Searched the entities and relations of the graph.",
            {
                "entity_collection": graph.collections.entities,
                "relation_collection": graph.collections.relations,
                "entity_hit_count": len(entities),
                "relation_hit_count": len(relations),
                "result_count": len(results),
            },
        )
        return await respond(
            request,
            context,
            mode=self.mode,
            results=results,
            metadata={**graph.described(), "reasoning": "lexical" if vector is None else "vector"},
            trace=(event,),
            language_model=self.language_model,
        )

    async def _vector(self, graph: OpenedGraph, request: QueryRequest) -> npt.NDArray[np.float32] | None:
        return None if graph.embedding is None else await question_vector(graph.embedding, request.text, self.mode)


async def _results(
    request: QueryRequest, graph: OpenedGraph, hits: Mapping[Key, FactHit], facts: Facts, evidence_top_k: int
) -> list[QueryResult]:
    """The best facts with their evidence; one without a passage that carries the request's filters is left out."""
    filters = record_filters(request.filters)
    stated = await chunks_of(graph.reader, hits)
    ranked = sorted(hits.items(), key=lambda one: (-one[1].score, -len(stated.get(one[0], ())), one[0]))
    results: list[QueryResult] = []
    for start in range(0, len(ranked), request.top_k):
        group = ranked[start : start + request.top_k]
        shown = {key: chunks if filters else chunks[:evidence_top_k] for key, chunks in stated.items()}
        passages = await graph.reader.passages(chunk_id for key, _ in group for chunk_id in shown.get(key, ()))
        for key, hit in group:
            there = [passages[one] for one in shown.get(key, ()) if one in passages]
            kept = [passage for passage in there if carries(passage, filters)][:evidence_top_k]
            if kept:
                results.append(fact_result(hit, facts[key], kept, graph.asset.key))
        if len(results) >= request.top_k:
            break
    return results[: request.top_k]
