"""A memory that finds items by a search index over their texts."""

from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import BaseModel

from heams.memory.base import MemoryCapabilities, RecalledItem, RecallQuery
from heams.memory.item_store import Hearing
from heams.memory.items import searchable_text, with_score
from heams.memory.search_index import SearchIndex
from heams.memory.stored_memory import StoredMemory

SEARCHING = MemoryCapabilities(fork=True, forget=True, dump=True, persist=True)


class IndexedMemory(StoredMemory):
    """Recalls the items that the index ranks first; equal scores in order of hearing.

    Everybody is answered from everything: who asks makes no difference. Nothing but what the index finds is recalled,
    so there may be fewer items than asked for, or none.
    """

    def __init__(self, config: BaseModel, index: SearchIndex, load: Callable[[Path], SearchIndex]) -> None:
        """Start empty, with an empty ``index``; ``load`` reads one that ``SearchIndex.save`` wrote."""
        super().__init__(config)
        self._index = index
        self._load = load

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        """The best items with the index's scores; as many as it finds where ``query.limit`` is None."""
        wanted = query.limit or len(self._items)
        if not wanted:
            return []
        return [with_score(self._items[key], score) for key, score in self._index.search(query.text, wanted)]

    def _add_to_index(self, hearing: Hearing) -> None:
        self._index.add(list(hearing.added), [searchable_text(item) for item in hearing.added.values()])
        if hearing.replaced:
            self._index.delete(hearing.replaced)

    def _remove_from_index(self, keys: Sequence[str]) -> None:
        self._index.delete(keys)

    def _fork_index(self) -> None:
        self._index = self._index.fork()

    def _save_index(self, directory: Path) -> None:
        self._index.save(directory)

    def _load_index(self, directory: Path) -> None:
        self._index = self._load(directory)
