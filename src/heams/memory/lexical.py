"""``lexical``: finds items by their words, ranked by BM25."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from heams.memory.base import Memory, MemoryScope, MemorySystem
from heams.memory.governance.policy import Access, Retention, Screening
from heams.memory.indexed_memory import SEARCHING, IndexedMemory

Stemmer = Annotated[
    Literal["english", "none"],
    Field(description="'english' finds 'adopted' by 'adopting'; 'none' compares lower-cased words as they are."),
]
StopWords = Annotated[
    Literal["english", "none"],
    Field(
        description="'english' leaves words that only ask or join ('when did the') out of queries; 'none' keeps all."
    ),
]


class LexicalMemoryConfig(BaseModel):
    """BM25 over words: strong on names and numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["lexical"] = "lexical"
    stemmer: Stemmer = "english"
    stop_words: StopWords = "english"
    retention: Retention = None
    access: Access = None
    screening: Screening = None


class LexicalMemorySystem(MemorySystem):
    """Opens memories over a ``Bm25Index`` each."""

    capabilities = SEARCHING
    config: LexicalMemoryConfig

    async def open(self, scope: MemoryScope) -> Memory:
        """A new, empty memory."""
        from heta_framework.common.stores.text_index.bm25 import Bm25Index

        index = Bm25Index(stemmer=self.config.stemmer, stop_words=self.config.stop_words)
        return IndexedMemory(self.config, index, Bm25Index.load)
