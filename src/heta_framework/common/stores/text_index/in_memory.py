"""The text index store without a folder: tantivy in memory, gone with the process."""

from __future__ import annotations

from heta_framework.common.stores.text_index.tantivy_store import TantivyTextIndexStore
from heta_framework.common.stores.text_index.types import StopWords


class InMemoryTextIndexStore(TantivyTextIndexStore):
    """A `TextIndexStoreProtocol` in memory; ranks exactly as `TantivyTextIndexStore` does in a folder."""

    def __init__(self, *, stop_words: StopWords = "none", purge_deleted: bool = True) -> None:
        """Start empty.

        Args:
            stop_words: "english" leaves words that only ask or join out of queries.
            purge_deleted: see `TantivyTextIndexStore`.
        """
        super().__init__(None, stop_words=stop_words, purge_deleted=purge_deleted)
