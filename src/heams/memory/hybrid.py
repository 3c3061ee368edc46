"""``hybrid``: finds items by words and by meaning, the two rankings fused by reciprocal rank."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal, Self

from anyio import to_thread
from pydantic import BaseModel, ConfigDict, Field, model_validator

from heams.memory.base import Memory, MemoryScope, MemorySystem
from heams.memory.governance.policy import Access, Retention, Screening
from heams.memory.indexed_memory import SEARCHING, IndexedMemory
from heams.memory.lexical import Stemmer, StopWords
from heams.memory.search_index import SearchIndex
from heams.memory.vector import EmbeddingModel, load_embedding_model


class FusionWeights(BaseModel):
    """How much each ranking counts; only their ratio matters."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    lexical: float = Field(default=1.0, ge=0, allow_inf_nan=False, description="Weight of the ranking by words.")
    vector: float = Field(default=0.5, ge=0, allow_inf_nan=False, description="Weight of the ranking by meaning.")

    @model_validator(mode="after")
    def _one_counts(self) -> Self:
        if self.lexical == self.vector == 0:
            raise ValueError("at least one of 'lexical' and 'vector' must be greater than 0")
        return self


class HybridMemoryConfig(BaseModel):
    """BM25 and embeddings, their rankings fused by reciprocal rank.

    The words weigh more because the embedding is a light one. RRF's published constant of 60 suits runs of a thousand
    places; under it, an item that stands low in both rankings passes one that leads a single ranking. A memory holds
    some hundred items, and of these only the first few reach the agent.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["hybrid"] = "hybrid"
    stemmer: Stemmer = "english"
    stop_words: StopWords = "english"
    model: EmbeddingModel = "wordllama"
    weights: FusionWeights = Field(default=FusionWeights(), description="How much each ranking counts.")
    rrf_k: float = Field(
        default=10.0,
        ge=0,
        allow_inf_nan=False,
        description="RRF's constant: the smaller, the more the first ranks count.",
    )
    candidates: int = Field(
        default=50, ge=1, description="Places of each ranking that take part, at least as many as are asked for."
    )
    retention: Retention = None
    access: Access = None
    screening: Screening = None


class HybridMemorySystem(MemorySystem):
    """Opens memories over a ``FusedIndex`` each."""

    capabilities = SEARCHING
    config: HybridMemoryConfig

    async def start(self) -> None:
        """Load the embedding model."""
        await to_thread.run_sync(load_embedding_model)

    async def open(self, scope: MemoryScope) -> Memory:
        """A new, empty memory."""
        return IndexedMemory(self.config, *open_fused_index(self.config))


def open_fused_index(config: HybridMemoryConfig) -> tuple[SearchIndex, Callable[[Path], SearchIndex]]:
    """An empty index, and how one that was saved is loaded."""
    from heams.memory.embedded_texts import EmbeddedTexts
    from heams.memory.fused_index import FusedIndex, Fusion
    from heta_framework.common.stores.text_index.bm25 import Bm25Index

    fusion = Fusion(config.weights.lexical, config.weights.vector, config.rrf_k, config.candidates)
    words = Bm25Index(stemmer=config.stemmer, stop_words=config.stop_words)
    return FusedIndex(words, EmbeddedTexts(), fusion), partial(FusedIndex.load, fusion=fusion)
