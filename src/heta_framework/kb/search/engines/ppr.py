"""``ppr_search``: passages by personalised PageRank on the graph of entities and passages (HippoRAG 2).

Gutiérrez, Shu, Qi, Zhou and Su, "From RAG to Memory: Non-Parametric Continual Learning for Large Language Models",
2025, arXiv 2502.14802.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from heta_framework.common.computing import compute
from heta_framework.kb.components import model_ref
from heta_framework.kb.graphing.searching.evidence import carries, passage_metadata
from heta_framework.kb.graphing.searching.graph_cache import GRAPHS
from heta_framework.kb.graphing.searching.graph_snapshot import GraphSnapshot
from heta_framework.kb.graphing.searching.opened_graph import TABLES, OpenedGraph
from heta_framework.kb.graphing.searching.pagerank import Walk
from heta_framework.kb.graphing.searching.ppr_options import PprOptions
from heta_framework.kb.graphing.searching.ppr_ranking import Ranking, ranked_passages
from heta_framework.kb.graphing.searching.ppr_seeds import Seeds, find_seeds
from heta_framework.kb.search.assets import SearchAssetRef
from heta_framework.kb.search.chunk_records import chunk_source
from heta_framework.kb.search.context import QueryContext
from heta_framework.kb.search.issues import QueryIssue, issue
from heta_framework.kb.search.record_filters import record_filters
from heta_framework.kb.search.responding import respond
from heta_framework.kb.search.types import QueryRequest, QueryResponse, QueryResult, QueryTraceEvent

PPR = "ppr_search"


@dataclass(frozen=True)
class PprSearch:
    """Walks from the entities of facts near the question, over relations, synonyms and passages, to the passages.

    Facts and passages are found by vectors where the graph has them, else by words (``metadata["reasoning"]``:
    ``vector`` or ``lexical``). Options: see `PprOptions`.

    Attributes:
        embedding_model, language_model: names of the recipe's models; None for its own.
    """

    mode: str = PPR
    embedding_model: str | None = None
    language_model: str | None = None

    @property
    def required_assets(self) -> frozenset[SearchAssetRef]:
        """The tables; everything else is used where it is there."""
        return frozenset({TABLES})

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        """Rank the passages; those that no walk reaches are left out."""
        options = PprOptions.of(request.options)
        graph = OpenedGraph.of(context, embedding_model=self.embedding_model)
        snapshot, walk = await GRAPHS.walk(graph.key, graph.reader, options.synonym_threshold)
        seeds = await find_seeds(
            request,
            context,
            graph,
            snapshot,
            options,
            mode=self.mode,
            language=context.find_component(model_ref("language", self.language_model)),
        )
        ranking = await compute(ranked_passages, snapshot, walk, seeds, options)
        results = await _results(request, graph, ranking)
        return await respond(
            request,
            context,
            mode=self.mode,
            results=results,
            metadata=_metadata(snapshot, walk, seeds, ranking),
            trace=(_event(self.mode, seeds, ranking, len(results)),),
            issues=seeds.issues if ranking.passages else (*seeds.issues, _NOTHING_FOUND),
            language_model=self.language_model,
        )


_NOTHING_FOUND: QueryIssue = issue(
    "question_without_seeds",
    "No fact and no passage resembles the question, so that no walk could begin.",
    "returned_no_results",
)
_MOST_SEEDS_SHOWN = 10


def _metadata(snapshot: GraphSnapshot, walk: Walk, seeds: Seeds, ranking: Ranking) -> dict[str, Any]:
    best = sorted(seeds.entities.items(), key=lambda one: (-one[1], one[0]))[:_MOST_SEEDS_SHOWN]
    shown = [
        {"entity_id": snapshot.entity_ids[one], "name": snapshot.entity_names[one], "weight": weight}
        for one, weight in best
    ]
    return {
        "seeds": shown,
        "iterations": ranking.iterations,
        "nodes": snapshot.node_count,
        "edges": walk.edge_count,
        "reasoning": seeds.reasoning,
    }


def _event(mode: str, seeds: Seeds, ranking: Ranking, results: int) -> QueryTraceEvent:
    counts = {
        "entity_seed_count": len(seeds.entities),
        "passage_seed_count": len(seeds.passages),
        "passages_from": seeds.passages_from,
        "iterations": ranking.iterations,
        "result_count": results,
    }
    return QueryTraceEvent(mode, "Walked the graph from what the question is about.", counts)


async def _results(request: QueryRequest, graph: OpenedGraph, ranking: Ranking) -> list[QueryResult]:
    """The best passages that carry the request's filters."""
    filters = record_filters(request.filters)
    results: list[QueryResult] = []
    size = request.top_k if not filters else max(_FILTERED_BATCH, request.top_k)
    for start in range(0, len(ranking.passages), size):
        group = ranking.passages[start : start + size]
        found = await graph.reader.passages(chunk_id for chunk_id, _ in group)
        for chunk_id, score in group:
            passage = found.get(chunk_id)
            if passage is not None and carries(passage, filters):
                source = chunk_source(chunk_id, passage_metadata(passage))
                metadata = {"search_asset": graph.asset.key}
                results.append(QueryResult(chunk_id, passage["text"], score, "chunk", source, metadata))
        if len(results) >= request.top_k:
            break
    return results[: request.top_k]


_FILTERED_BATCH = 200
