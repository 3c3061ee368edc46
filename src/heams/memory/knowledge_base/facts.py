"""The facts of a knowledge base's graph as its tables hold them, each with all chunks that state it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heta_framework.kb.graphing.fact_texts import entity_text, relation_text
from heta_framework.kb.graphing.searching.opened_graph import TABLES, OpenedGraph
from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES, RELATIONS, StoredKind
from heta_framework.kb.search.context import QueryContext

if TYPE_CHECKING:
    from heta_framework.kb.graphing.storing.graph_reader import GraphReader
    from heta_framework.kb.knowledge_base import KnowledgeBase

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GraphFact:
    """An entity or a relation. ``chunk_ids`` are those of all chunks that state it."""

    id: str
    kind: str
    text: str
    chunk_ids: tuple[str, ...]


async def facts_of(base: KnowledgeBase) -> dict[str, GraphFact]:
    """All facts by id, entities first; empty for a knowledge base without a graph."""
    context = QueryContext(base.recipe, base.run_record, base.search_assets, base.query_engines)
    if not context.assets.contains(TABLES):
        return {}
    reader = OpenedGraph.of(context, embedding_model=None).reader
    entities = [row["entity_id"] for row in await reader.all_entities()]
    relations = [row["relation_id"] for row in await reader.all_relations()]
    return {
        **await _read(reader, ENTITIES, entities, _entity_text),
        **await _read(reader, RELATIONS, relations, _relation_text),
    }


async def _read(
    reader: GraphReader, kind: StoredKind, ids: list[str], text_of: Callable[[Row], str]
) -> dict[str, GraphFact]:
    rows = await reader.facts(kind, ids)
    chunks: dict[str, list[str]] = {}
    for stated in await reader.all_evidence(kind):
        chunks.setdefault(stated["fact_id"], []).append(stated["chunk_id"])
    return {
        fact_id: GraphFact(fact_id, kind.name, text_of(rows[fact_id]), tuple(sorted(chunks.get(fact_id, ()))))
        for fact_id in ids
    }


def _entity_text(row: Row) -> str:
    return entity_text(row["entity_name"], row["entity_type"], row["entity_subtype"], row["description"])


def _relation_text(row: Row) -> str:
    names = ("source_entity_name", "target_entity_name", "relation_name", "relation_type", "description")
    return relation_text(*(row[name] for name in names))
