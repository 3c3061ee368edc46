"""Small recipes of real parts, for tests of a knowledge base's life: quick to build, and every text counts."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from heta_framework.common.models.embedding.types import EmbeddingRequest, EmbeddingResult
from heta_framework.common.stores import InMemoryTextIndexStore, InMemoryVectorStore, LocalObjectStore
from heta_framework.kb import (
    DocumentParserRegistry,
    EmbedChunks,
    IndexFullText,
    IndexVectors,
    JsonLinesParser,
    KnowledgeBase,
    KnowledgeModels,
    KnowledgeParsers,
    KnowledgeRecipe,
    KnowledgeStores,
    ParseDocuments,
    SplitDocuments,
    SplitDocumentsConfig,
    StepCapabilities,
    StepCleanupPlan,
    StepRequirements,
    TextParser,
)

TEXTS = {
    "raw/harbour.txt": "The harbour master keeps the tide tables in a blue cabinet.",
    "raw/orchard.txt": "Forty apple trees stand in the orchard behind the mill.",
    "raw/lantern.txt": "The lantern in the stairwell burns oil, not petrol.",
}
QUESTION = "Where are the tide tables?"


class TinyEmbedding:
    """Counts words into 16 places. ``embedded`` holds every text that it was ever asked for."""

    def __init__(self, model_name: str = "tiny-16", dimension: int = 16) -> None:
        self.model_name = model_name
        self.dimension = dimension
        self.embedded: list[str] = []

    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        self.embedded += request.texts
        return EmbeddingResult([self._vector(text) for text in request.texts], self.model_name)

    async def embed_many(self, requests: Sequence[EmbeddingRequest]) -> list[EmbeddingResult]:
        return [await self.embed(request) for request in requests]

    def _vector(self, text: str) -> list[float]:
        counts = [0.0] * self.dimension
        for word in text.lower().split():
            counts[hashlib.sha256(word.strip(".,?").encode()).digest()[0] % self.dimension] += 1.0
        return counts


class Probe:
    """A step of one's own: writes down that it ran, and fails where it is told to."""

    def __init__(
        self, name: str = "probe", *, fails_with: BaseException | None = None, needs: Sequence[str] = ()
    ) -> None:
        self.name = name
        self.fails_with = fails_with
        self.runs = 0
        self.requirements = StepRequirements(artifacts=frozenset(needs))
        self.capabilities = StepCapabilities(artifacts=frozenset({name}))

    async def run(self, context: Any) -> None:
        self.runs += 1
        if self.fails_with is not None:
            raise self.fails_with
        context.set_artifact(self.name, f"{self.name} was here")

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        return StepCleanupPlan()


class SharedStores:
    """Object, vector and text stores that several knowledge bases may share, below one folder."""

    def __init__(self, root: Path) -> None:
        self.objects = LocalObjectStore(root / "objects")
        self.restart()

    def restart(self) -> None:
        """What is in memory is gone, as after a restart; objects stay."""
        self.vector = InMemoryVectorStore()
        self.text_index = InMemoryTextIndexStore()

    async def put(self, texts: Mapping[str, str] = TEXTS) -> None:
        for key, text in texts.items():
            await self.objects.put(key, text.encode())

    async def keys(self, prefix: str = "") -> list[str]:
        return [info.key for info in await self.objects.list(prefix)]

    def recipe(self, *more_steps: Any, model: Any = None, chunk_size: int = 200, **stores: Any) -> KnowledgeRecipe:
        """Parse, split, embed, index vectors and words; then ``more_steps``."""
        parts = {"objects": self.objects, "vector": self.vector, "text_index": self.text_index} | stores
        return KnowledgeRecipe(
            models=KnowledgeModels(embedding=model or TinyEmbedding()),
            stores=KnowledgeStores(**parts),
            parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser(), JsonLinesParser()])),
            steps=(
                ParseDocuments(),
                SplitDocuments(SplitDocumentsConfig(chunk_size=chunk_size, overlap=0, encoding_name="characters")),
                EmbedChunks(),
                IndexVectors(),
                IndexFullText(),
                *more_steps,
            ),
        )


async def found(kb: KnowledgeBase, question: str = QUESTION, *, top_k: int = 10) -> dict[str, list[tuple[str, float]]]:
    """What each simple mode finds: document ids and scores, best first."""
    modes = sorted(kb.available_queries & {"vector_search", "full_text_search", "sql_text_search"})
    answers = {mode: await kb.query(question, mode=mode, top_k=top_k) for mode in modes}
    return {
        mode: [(hit.source["document_id"], round(hit.score or 0.0, 5)) for hit in answer.results]
        for mode, answer in answers.items()
    }


async def document_ids(kb: KnowledgeBase) -> set[str]:
    """The documents that are in."""
    return {entry.document_id for entry in await kb.documents()}


async def contents(kb: KnowledgeBase) -> dict[str, Any]:
    """Everything by which two knowledge bases of the same documents can be compared.

    Of a search for words only what it finds: its scores count words of deleted records until the index merges.
    """
    hits = await found(kb)
    words = {mode: sorted(document_id for document_id, _ in hits[mode]) for mode in hits if mode != "vector_search"}
    return {
        "documents": sorted((entry.document_id, entry.key, entry.parse_key) for entry in await kb.documents()),
        "chunks": sorted([(chunk.chunk_id, chunk.text) async for chunk in await kb.chunks()]),
        "found": hits | words,
    }
