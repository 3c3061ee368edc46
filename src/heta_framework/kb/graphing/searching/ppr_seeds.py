"""Finds where the walks of a question begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from heta_framework.kb.graphing.searching.fact_filter import relevant_facts
from heta_framework.kb.graphing.searching.fact_hits import FactHit, name_hits, vector_hits
from heta_framework.kb.graphing.searching.graph_snapshot import GraphSnapshot
from heta_framework.kb.graphing.searching.ppr_options import PprOptions
from heta_framework.kb.graphing.searching.seeding import seeds_of_entities, seeds_of_relations
from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES, RELATIONS, StoredKind
from heta_framework.kb.search.issues import QueryIssue, issue, issues_of
from heta_framework.kb.search.options import passed_down
from heta_framework.kb.search.query_vectors import question_vector
from heta_framework.kb.search.types import QueryRequest

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from heta_framework.common.models.language.protocol import LanguageModelProtocol
    from heta_framework.kb.graphing.searching.opened_graph import OpenedGraph
    from heta_framework.kb.search.context import QueryContext


@dataclass(frozen=True)
class Seeds:
    """Where walks begin.

    Attributes:
        entities: weights by number.
        passages: scores by chunk.
        reasoning: how the facts were found: ``vector`` or ``lexical``.
        passages_from: the mode that found the passages; None where none is available.
    """

    entities: Mapping[int, float]
    passages: Mapping[str, float]
    reasoning: str
    passages_from: str | None = None
    issues: tuple[QueryIssue, ...] = field(default=())


async def find_seeds(
    request: QueryRequest,
    context: QueryContext,
    graph: OpenedGraph,
    snapshot: GraphSnapshot,
    options: PprOptions,
    *,
    mode: str,
    language: LanguageModelProtocol | None,
) -> Seeds:
    """The seeds of a question."""
    vector = None if graph.embedding is None else await question_vector(graph.embedding, request.text, mode)
    hits = await _facts(graph, context, request.text, vector, options.seed_top_k)
    kept, problem = await _recognised(request, snapshot, hits, options, mode=mode, language=language)
    passages, passages_from, problems = await _passages(request, context, options)
    return Seeds(
        _weights(snapshot, kept),
        passages,
        "lexical" if vector is None else "vector",
        passages_from,
        (*(() if problem is None else (problem,)), *problems),
    )


async def _facts(
    graph: OpenedGraph,
    context: QueryContext,
    question: str,
    vector: npt.NDArray[np.float32] | None,
    most: int,
) -> list[FactHit]:
    """Relations; entities where the graph has no relations, or none that matches."""
    for kind in (RELATIONS, ENTITIES):
        hits = await _facts_of(graph, context, question, vector, kind, most)
        if hits:
            return hits
    return []


async def _facts_of(
    graph: OpenedGraph,
    context: QueryContext,
    question: str,
    vector: npt.NDArray[np.float32] | None,
    kind: StoredKind,
    most: int,
) -> list[FactHit]:
    if vector is None:
        return await name_hits(graph, question, kind, most)
    found = await vector_hits(graph, context, vector, kind, most) or []
    return [hit for hit in found if hit.score > graph.least_likeness]


async def _recognised(
    request: QueryRequest,
    snapshot: GraphSnapshot,
    hits: list[FactHit],
    options: PprOptions,
    *,
    mode: str,
    language: LanguageModelProtocol | None,
) -> tuple[list[FactHit], QueryIssue | None]:
    if not options.filter_facts or not hits:
        return hits, None
    if language is None:
        message = "The facts were not filtered: the recipe has no language model."
        return hits, issue("fact_filter_failed", message, "kept_all_facts")
    texts = [_told(snapshot, hit) for hit in hits]
    positions, problem = await relevant_facts(language, request.text, texts, mode=mode)
    return [hits[position] for position in positions], problem


async def _passages(
    request: QueryRequest, context: QueryContext, options: PprOptions
) -> tuple[dict[str, float], str | None, Sequence[QueryIssue]]:
    available = context.available(options.passage_modes)
    if not available or not options.passage_top_k or not options.passage_weight:
        return {}, None, ()
    request = replace(passed_down(request, top_k=options.passage_top_k), trace=False)
    response = await context.query(available[0], request)
    return {one.id: one.score or 0.0 for one in response.results}, available[0], issues_of(response)


def _weights(snapshot: GraphSnapshot, hits: Sequence[FactHit]) -> dict[int, float]:
    scored = [(hit.fact_id, hit.score) for hit in hits]
    if hits and hits[0].kind is RELATIONS:
        return seeds_of_relations(snapshot, scored)
    return seeds_of_entities(snapshot, scored)


def _told(snapshot: GraphSnapshot, hit: FactHit) -> str:
    """A fact in words: of a relation its ends and name, of an entity its name."""
    if hit.kind is RELATIONS:
        position = snapshot.relation_positions.get(hit.fact_id)
        return hit.fact_id if position is None else snapshot.relation_names[position]
    position = snapshot.entity_positions.get(hit.fact_id)
    return hit.fact_id if position is None else snapshot.entity_names[position]
