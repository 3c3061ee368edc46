"""What a knowledge base finds, and all that it holds, as remembered items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heams.memory.base import RecalledItem, RecallQuery
from heams.memory.knowledge_base.config import KnowledgeBaseMemoryConfig
from heams.memory.knowledge_base.facts import GraphFact
from heams.memory.knowledge_base.recalled import chunk_item, fact_item, quoting
from heams.memory.knowledge_base.state import KnowledgeState

if TYPE_CHECKING:
    from heta_framework.kb.chunks import Chunk
    from heta_framework.kb.search.types import QueryResult

_PASSAGES_OF_A_FACT = 1  # so that ten recalled items rest on ten passages, be they chunks or facts


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
        options={"generate_answer": False, "evidence_top_k": _PASSAGES_OF_A_FACT, **config.query_options},
    )
    found = [await _item(state, result) for result in response.results]
    return list({item.id: item for item in reversed(found)}.values())[::-1]


async def everything_in(state: KnowledgeState) -> list[RecalledItem]:
    """All chunks in the order of hearing, then all facts of the graph."""
    place = {document_id: place for place, document_id in enumerate(state.documents)}
    chunks = sorted((await state.chunks()).values(), key=lambda chunk: (place[chunk.document_id], chunk.chunk_index))
    facts = (await state.facts()).values()
    return [_chunk(state, chunk) for chunk in chunks] + [
        fact_item(fact, await _events(state, fact.chunk_ids)) for fact in facts
    ]


async def _item(state: KnowledgeState, result: QueryResult) -> RecalledItem:
    chunk = (await state.chunks()).get(result.id)
    if chunk is not None:
        return _chunk(state, chunk, result.score)
    shown = tuple(result.source.get("chunk_ids", ()))
    fact = (await state.facts()).get(result.id) or GraphFact(result.id, result.kind, result.text, shown)
    chunks = await state.chunks()
    quoted = [chunks[chunk_id].text for chunk_id in shown if chunk_id in chunks]
    return quoting(fact_item(fact, await _events(state, shown), result.score), quoted)


def _chunk(state: KnowledgeState, chunk: Chunk, score: float | None = None) -> RecalledItem:
    return chunk_item(chunk, state.documents[chunk.document_id], score)


async def _events(state: KnowledgeState, chunk_ids: Sequence[str]) -> list[RecalledItem]:
    """The events behind chunks."""
    chunks = await state.chunks()
    return [
        event
        for chunk in (chunks[chunk_id] for chunk_id in chunk_ids if chunk_id in chunks)
        for event in state.documents[chunk.document_id].events_between(chunk.char_start, chunk.char_end)
    ]
