"""The facts that a question finds by itself, by vectors or by words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from heta_framework.common.computing import compute
from heta_framework.kb.graphing.searching.graph_cache import GRAPHS
from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES, RELATIONS, StoredKind

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from heta_framework.kb.graphing.searching.opened_graph import OpenedGraph
    from heta_framework.kb.search.context import QueryContext


@dataclass(frozen=True)
class FactHit:
    """A fact that was found.

    Attributes:
        matched_by: ``entity_vector``, ``relation_vector``, ``entity_name``, ``relation_name``, or by which expansion.
        vector_metadata: of the record that was found, or through which this was.
    """

    kind: StoredKind
    fact_id: str
    score: float
    matched_by: str
    vector_metadata: Mapping[str, Any] = field(default_factory=dict)


async def vector_hits(
    graph: OpenedGraph, context: QueryContext, vector: npt.NDArray[np.float32], kind: StoredKind, most: int
) -> list[FactHit] | None:
    """The nearest facts of a kind; None where the graph has no collection of them."""
    from heta_framework.common.stores.vector.types import VectorQuery

    logical = graph.collections.entities if kind is ENTITIES else graph.collections.relations
    collection = context.physical(logical)
    if graph.vectors is None or not await graph.vectors.has_collection(collection):
        return None
    if most < 1:
        return []
    found = await graph.vectors.search(collection, VectorQuery(vector, most))
    return [FactHit(kind, hit.id, hit.score, f"{kind.name}_vector", hit.metadata) for hit in found]


async def name_hits(graph: OpenedGraph, question: str, kind: StoredKind, most: int) -> list[FactHit]:
    """The facts of a kind whose names share most with the question."""
    if most < 1:
        return []
    snapshot = await GRAPHS.snapshot(graph.key, graph.reader)

    def search() -> list[tuple[str, float]]:
        index = snapshot.entity_index if kind is ENTITIES else snapshot.relation_index
        return index.search(question, most)

    found = await compute(search)
    return [FactHit(kind, fact_id, score, f"{kind.name}_name") for fact_id, score in found]


async def first_hits(
    graph: OpenedGraph,
    context: QueryContext,
    question: str,
    vector: npt.NDArray[np.float32] | None,
    counts: tuple[int, int],
) -> tuple[list[FactHit], list[FactHit]]:
    """Entities and relations, as many as asked for; where one kind has none at all the other takes its share.

    Args:
        vector: of the question; None searches by words.
        counts: how many entities, how many relations.
    """
    if vector is None:
        entities = await name_hits(graph, question, ENTITIES, counts[0])
        relations = await name_hits(graph, question, RELATIONS, counts[1])
        if not relations and len(entities) == counts[0]:
            entities = await name_hits(graph, question, ENTITIES, sum(counts))
        return entities, relations
    found = await vector_hits(graph, context, vector, RELATIONS, counts[1])
    share = counts[0] if found else sum(counts)
    return await vector_hits(graph, context, vector, ENTITIES, share) or [], found or []
