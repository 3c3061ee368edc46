"""``vector``: finds items by meaning, nearest embedding first."""

from typing import Annotated, Literal

from anyio import to_thread
from pydantic import BaseModel, ConfigDict, Field

from heams.memory.base import Memory, MemoryScope, MemorySystem
from heams.memory.governance.policy import Access, Retention, Screening
from heams.memory.indexed_memory import SEARCHING, IndexedMemory

EmbeddingModel = Annotated[
    Literal["wordllama"],
    Field(description="Which embedding model; 'wordllama' (256 dimensions, English) works offline and needs no key."),
]


class VectorMemoryConfig(BaseModel):
    """Embeddings and exact search: finds paraphrases."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["vector"] = "vector"
    model: EmbeddingModel = "wordllama"
    retention: Retention = None
    access: Access = None
    screening: Screening = None


class VectorMemorySystem(MemorySystem):
    """Opens memories over ``EmbeddedTexts`` each.

    The model is a table of this process, loaded once; there is no usage to report.
    """

    capabilities = SEARCHING
    config: VectorMemoryConfig

    async def start(self) -> None:
        """Load the model."""
        await to_thread.run_sync(load_embedding_model)

    async def open(self, scope: MemoryScope) -> Memory:
        """A new, empty memory."""
        from heams.memory.embedded_texts import EmbeddedTexts

        return IndexedMemory(self.config, EmbeddedTexts(), EmbeddedTexts.load)


def load_embedding_model() -> None:
    """Load wordllama's weights, so that the first question need not wait for them."""
    from heta_framework.common.models.embedding.wordllama import WordLlamaEmbedding

    WordLlamaEmbedding().embed_texts(["ready"])
