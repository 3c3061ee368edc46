"""Full-text search: the protocol, its value types, and tantivy as the embedded default."""

from heta_framework.common.stores.text_index.bm25 import Bm25Index
from heta_framework.common.stores.text_index.errors import TextIndexError
from heta_framework.common.stores.text_index.in_memory import InMemoryTextIndexStore
from heta_framework.common.stores.text_index.protocol import TextIndexStoreProtocol
from heta_framework.common.stores.text_index.tantivy_store import TantivyTextIndexStore
from heta_framework.common.stores.text_index.types import (
    Stemmer,
    StopWords,
    TextIndexConfig,
    TextIndexRecord,
    TextQuery,
    TextSearchResult,
)

__all__ = [
    "Bm25Index",
    "InMemoryTextIndexStore",
    "Stemmer",
    "StopWords",
    "TantivyTextIndexStore",
    "TextIndexConfig",
    "TextIndexError",
    "TextIndexRecord",
    "TextIndexStoreProtocol",
    "TextQuery",
    "TextSearchResult",
]
