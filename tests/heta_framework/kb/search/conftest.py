"""A small searchable world: real stores in memory, filled directly, and the built-in engines over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from heta_framework.common.models import (
    EmbeddingRequest,
    EmbeddingResult,
    FunctionLanguageModel,
    ModelRequest,
    RerankItem,
    RerankRequest,
    RerankResult,
)
from heta_framework.kb.chunks import Chunk, text_sha256
from heta_framework.kb.components import KnowledgeModels, KnowledgeStores
from heta_framework.kb.recipe import KnowledgeRecipe
from heta_framework.kb.run_record import RecipeRunRecord
from heta_framework.kb.search.assets import SearchAsset, SearchAssetCollection, SearchAssetRef
from heta_framework.kb.search.chunk_records import chunk_metadata
from heta_framework.kb.search.context import QueryContext
from heta_framework.kb.search.registry import QueryEngineRegistry
from heta_framework.kb.search.types import QueryRequest, QueryResponse, QueryResult

NAMESPACE = "world_0123456789ab"
WORDS = ("harbour", "lamp", "oil", "keeper", "ferry", "captain", "bread", "rye")
HARBOUR = {
    "lamp": "The keeper fills the harbour lamp with oil.",
    "ferry": "The captain of the ferry waits in the harbour.",
    "bread": "Rye bread is baked with rye flour.",
}


class WordEmbedding:
    """Counts of eight words; a text without any of them has no vector."""

    model_name = "eight-words"

    def __init__(self) -> None:
        self.asked: list[EmbeddingRequest] = []

    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        """Embed one request."""
        self.asked.append(request)
        return EmbeddingResult([self.vector(text) for text in request.texts], self.model_name)

    async def embed_many(self, requests: Sequence[EmbeddingRequest]) -> list[EmbeddingResult]:
        """Embed several."""
        return [await self.embed(request) for request in requests]

    @staticmethod
    def vector(text: str) -> list[float]:
        """How often each word occurs."""
        words = [word.strip(".,?!").lower() for word in text.split()]
        return [float(words.count(word)) for word in WORDS]


class ScoresGiven:
    """A reranker that gives documents the scores it was made with, or whatever else it is told to reply."""

    model_name = "scores-given"

    def __init__(self, reply: Callable[[RerankRequest], Any]) -> None:
        self.reply = reply
        self.asked: list[RerankRequest] = []

    async def rerank(self, request: RerankRequest) -> RerankResult:
        """Rank one request."""
        self.asked.append(request)
        given = self.reply(request)
        return RerankResult(given if isinstance(given, list) else [RerankItem(i, s) for i, s in given.items()])

    async def rerank_many(self, requests: Sequence[RerankRequest]) -> list[RerankResult]:
        """Rank several."""
        return [await self.rerank(request) for request in requests]


@dataclass
class FixedEngine:
    """An engine that finds what it was given, whatever is asked."""

    mode: str
    results: tuple[QueryResult, ...]
    required_assets: tuple[SearchAssetRef, ...] = ()
    asked: list[QueryRequest] = field(default_factory=list)

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        """The results, cut to top_k."""
        self.asked.append(request)
        return QueryResponse(self.mode, self.results[: request.top_k])


@dataclass
class World:
    """A recipe with filled stores, and what was built."""

    recipe: KnowledgeRecipe
    assets: SearchAssetCollection
    engines: QueryEngineRegistry

    @property
    def context(self) -> QueryContext:
        """The context of a query from outside."""
        record = RecipeRunRecord("run", "succeeded", "", None, (), {"kb_namespace": NAMESPACE})
        return QueryContext(self.recipe, record, self.assets, self.engines)

    async def ask(self, mode: str, text: str, **fields: Any) -> QueryResponse:
        """Ask one question."""
        return await self.context.query(mode, QueryRequest(text, **fields))

    @property
    def modes(self) -> set[str]:
        """What it can be asked in."""
        return set(self.engines.available_modes_for(self.recipe, self.assets))


def make_chunk(document_id: str, text: str, **document_metadata: Any) -> Chunk:
    """The only chunk of a document."""
    return Chunk(
        chunk_id=f"chunk_{document_id}",
        document_id=document_id,
        object_key=f"raw/{document_id}.txt",
        object_name=f"{document_id}.txt",
        object_type="txt",
        content_sha256=text_sha256(text),
        page_index=0,
        chunk_index=0,
        text=text,
        char_start=0,
        char_end=len(text),
        token_start=0,
        token_end=len(text.split()),
        document_metadata=document_metadata,
    )


def fact(number: int, kind: str = "entity", score: float = 1.0) -> QueryResult:
    """A result of a graph."""
    return QueryResult(f"{kind}_{number}", f"Fact {number}.", score, kind, {"document_id": f"d{number}"})


def graph_of(*results: QueryResult) -> FixedEngine:
    """An engine that stands in for a graph of facts."""
    return FixedEngine("heta_graph_search", results, (SearchAssetRef("graph_tables"),))


def scripted(answer: Callable[[ModelRequest], Any]) -> tuple[FunctionLanguageModel, list[ModelRequest]]:
    """A language model that answers by a function, and what it is asked; an exception that it returns is raised."""
    asked: list[ModelRequest] = []

    def reply(request: ModelRequest) -> Any:
        asked.append(request)
        given = answer(request)
        if isinstance(given, Exception):
            raise given
        return given

    return FunctionLanguageModel(reply, model_name="scripted"), asked


async def make_world(
    texts: Mapping[str, str] | Sequence[Chunk],
    *,
    parts: Sequence[str] = ("vector", "full_text"),
    language: Any = None,
    reranker: Any = None,
    graph: FixedEngine | None = None,
) -> World:
    """A world of these documents; ``parts`` says how they can be searched."""
    from heta_framework.common.stores.text_index.tantivy_store import TantivyTextIndexStore
    from heta_framework.common.stores.text_index.types import TextIndexConfig, TextIndexRecord
    from heta_framework.common.stores.vector.in_memory import InMemoryVectorStore
    from heta_framework.common.stores.vector.types import VectorCollectionConfig, VectorRecord

    chunks = [make_chunk(*pair) for pair in texts.items()] if isinstance(texts, Mapping) else list(texts)
    embedding, vector, text_index = WordEmbedding(), InMemoryVectorStore(), TantivyTextIndexStore()
    assets = []
    if "vector" in parts:
        assets.append(SearchAsset("chunk_vector_index", "chunks"))
        await vector.create_collection(VectorCollectionConfig(f"chunks__{NAMESPACE}", len(WORDS)))
        rows = [(chunk, embedding.vector(chunk.text)) for chunk in chunks]
        records = [VectorRecord(one.chunk_id, row, one.text, chunk_metadata(one)) for one, row in rows if any(row)]
        await vector.upsert(f"chunks__{NAMESPACE}", records)
    if "full_text" in parts:
        assets.append(SearchAsset("chunk_full_text_index", "chunk_full_text", "stores.text_index"))
        await text_index.create_index(TextIndexConfig(f"chunk_full_text__{NAMESPACE}"))
        texts_in = [TextIndexRecord(one.chunk_id, one.text, chunk_metadata(one)) for one in chunks]
        await text_index.upsert(f"chunk_full_text__{NAMESPACE}", texts_in)
    engines = QueryEngineRegistry.defaults()
    if graph is not None:
        assets.append(SearchAsset("graph_tables", "entities"))
        engines.register(graph, replace=True)
    recipe = KnowledgeRecipe(
        KnowledgeModels(language=language, embedding=embedding, reranker=reranker),
        KnowledgeStores(vector=vector, text_index=text_index),
    )
    return World(recipe, SearchAssetCollection(assets), engines)


@pytest.fixture
def kit() -> Kit:
    """What tests of engines are made of."""
    return Kit()


class Kit:
    """The parts above, under one name."""

    HARBOUR = HARBOUR
    make_world = staticmethod(make_world)
    make_chunk = staticmethod(make_chunk)
    fact = staticmethod(fact)
    graph_of = staticmethod(graph_of)
    scripted = staticmethod(scripted)
    reranker = ScoresGiven
    engine = FixedEngine
