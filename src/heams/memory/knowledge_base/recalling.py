"""What a knowledge base finds, and all that it holds, as remembered items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heams.memory.base import RecalledItem, RecallQuery
from heams.memory.knowledge_base.config import KnowledgeBaseMemoryConfig
from heams.memory.knowledge_base.facts import GraphFact
from heams.memory.knowledge_base.recalled import chunk_item, fact_item
from heams.memory.knowledge_base.state import KnowledgeState

if TYPE_CHECKING:
    from heta_framework.kb.chunks import Chunk
    from heta_framework.kb.search.types import QueryResult


async def found_in(
    state: KnowledgeState, config: KnowledgeBaseMemoryConfig, query: RecallQuery
) -> Sequence[RecalledItem]:
    """The items for a query, best first; of several results that are the same item, the best."""
    if state.knowledge_base is None or not state.documents or not query.text.strip():
        return []
    response = await state.knowledge_base.query(
        query.text,
        mode=config.mode,
        top_k=query.limit or config.top_k,
        options={"generate_answer": False, **config.query_options},
    )
    found = [await _item(state, result) for result in response.results]
    return list({item.id: item for item in reversed(found)}.values())[::-1]


async def everything_in(state: KnowledgeState) -> list[RecalledItem]:
    """All chunks in the order of hearing, then all facts of the graph."""
    place = {document_id: place for place, document_id in enumerate(state.documents)}
    chunks = sorted((await state.chunks()).values(), key=lambda chunk: (place[chunk.document_id], chunk.chunk_index))
    facts = (await state.facts()).values()
    return [_chunk(state, chunk) for chunk in chunks] + [await _fact(state, fact) for fact in facts]


async def _item(state: KnowledgeState, result: QueryResult) -> RecalledItem:
    chunk = (await state.chunks()).get(result.id)
    if chunk is not None:
        return _chunk(state, chunk, result.score)
    fact = (await state.facts()).get(result.id)
    return await _fact(state, fact or _stated(result), result.score)


def _chunk(state: KnowledgeState, chunk: Chunk, score: float | None = None) -> RecalledItem:
    return chunk_item(chunk, state.documents[chunk.document_id], score)


async def _fact(state: KnowledgeState, fact: GraphFact, score: float | None = None) -> RecalledItem:
    chunks = await state.chunks()
    evidence = [chunks[chunk_id] for chunk_id in fact.chunk_ids if chunk_id in chunks]
    events = [
        event
        for chunk in evidence
        for event in state.documents[chunk.document_id].events_between(chunk.char_start, chunk.char_end)
    ]
    return fact_item(fact, events, score)


def _stated(result: QueryResult) -> GraphFact:
    """A result that is neither a chunk nor a fact of the tables, as engines of others may give: what it says itself."""
    return GraphFact(result.id, result.kind, result.text, tuple(result.source.get("chunk_ids", ())))
