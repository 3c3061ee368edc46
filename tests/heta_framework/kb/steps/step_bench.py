"""What tests of steps share: a context with stores in memory, and a model whose answers are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from heta_framework.common.models.embedding import EmbeddingRequest, EmbeddingResult
from heta_framework.common.stores.object import MemoryObjectStore
from heta_framework.common.stores.text_index import TantivyTextIndexStore
from heta_framework.common.stores.vector import InMemoryVectorStore
from heta_framework.kb.chunks import Chunk
from heta_framework.kb.components import KnowledgeModels, KnowledgeParsers, KnowledgeStores
from heta_framework.kb.context import StepExecutionContext
from heta_framework.kb.delta import Delta
from heta_framework.kb.derived.chunk_packs import read_chunks
from heta_framework.kb.derived.document_packs import read_documents
from heta_framework.kb.documents import DocumentEntry
from heta_framework.kb.parsing import DocumentParserRegistry
from heta_framework.kb.recipe import KnowledgeRecipe


class LetterEmbedding:
    """Counts letters: three components, a zero vector of a text without a, b and c. Answers requests alone."""

    def __init__(self, name: str = "letters", *, dimension: int = 3, answers: Mapping[str, Any] | None = None) -> None:
        self.model_name = name
        self.size = dimension
        self.answers = dict(answers or {})
        self.embedded: list[str] = []
        self.batches: list[int] = []

    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        self.embedded += request.texts
        self.batches.append(len(request.texts))
        vectors = [self.answers.get(text, self._vector(text)) for text in request.texts]
        return EmbeddingResult(vectors, self.model_name)

    async def embed_many(self, requests: Sequence[EmbeddingRequest]) -> list[EmbeddingResult]:
        return [await self.embed(request) for request in requests]

    def _vector(self, text: str) -> list[float]:
        return [float(text.count(letter)) for letter in "abcdefgh"[: self.size]]


class LocalLetters(LetterEmbedding):
    """The same, with the fast path of a model that computes here."""

    def embed_texts(self, texts: Sequence[str]) -> np.ndarray[Any, Any]:
        self.embedded += texts
        return np.array([self._vector(text) for text in texts], dtype=np.float32)


class Bench:
    """Stores, and contexts of knowledge bases on them."""

    def __init__(self, model: object | None = None, parsers: DocumentParserRegistry | None = None) -> None:
        self.objects = MemoryObjectStore()
        self.vector = InMemoryVectorStore()
        self.text_index: Any = TantivyTextIndexStore()
        self.model = model or LetterEmbedding()
        self.parsers = parsers or DocumentParserRegistry.defaults()

    async def put(self, **texts: str | bytes) -> None:
        """Raw documents: ``a__txt="..."`` lies at ``raw/a.txt``."""
        for name, text in texts.items():
            await self.objects.put(f"raw/{name.replace('__', '.')}", text.encode() if isinstance(text, str) else text)

    def context(self, namespace: str = "one", delta: Delta | None = None, **artifacts: Any) -> StepExecutionContext:
        recipe = KnowledgeRecipe(
            models=KnowledgeModels(embedding=self.model),
            stores=KnowledgeStores(objects=self.objects, vector=self.vector, text_index=self.text_index),
            parsers=KnowledgeParsers(documents=self.parsers),
        )
        return StepExecutionContext(recipe, {"kb_namespace": namespace, **artifacts}, namespace=namespace, delta=delta)

    async def run(self, context: StepExecutionContext, *steps: Any) -> StepExecutionContext:
        for step in steps:
            await step.run(context)
        return context

    async def chunks(self, context: StepExecutionContext) -> list[Chunk]:
        keys = context.artifacts["chunk_keys"]
        return [chunk async for chunks in read_chunks(self.objects, keys) for chunk in chunks]

    async def documents(self, context: StepExecutionContext) -> list[DocumentEntry]:
        keys = context.artifacts["parsed_document_keys"]
        return [entry async for entries in read_documents(self.objects, keys) for entry in entries]


def codes(context: StepExecutionContext) -> list[str]:
    """The codes of what was reported."""
    return [issue.code for issue in context.issues]
