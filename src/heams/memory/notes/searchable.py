"""Notes that can be searched: the paragraphs of one state, indexed when somebody first asks."""

from collections.abc import Sequence
from functools import cached_property

from heams.memory.base import RecalledItem
from heams.memory.hybrid import HybridMemoryConfig, open_fused_index
from heams.memory.items import with_score
from heams.memory.notes.paragraphs import paragraphs
from heams.memory.notes.state import NotesState
from heams.memory.search_index import SearchIndex
from heams.memory.vector import EmbeddingModel


class SearchableNotes:
    """A state with its index. Neither changes, so forks share both until they write."""

    def __init__(self, state: NotesState, embedding: EmbeddingModel) -> None:
        self.state = state
        self._embedding: EmbeddingModel = embedding

    @cached_property
    def items(self) -> Sequence[RecalledItem]:
        """All paragraphs."""
        return [paragraph.item() for paragraph in paragraphs(self.state)]

    def search(self, query: str, limit: int | None) -> Sequence[RecalledItem]:
        """The best paragraphs by words and by meaning; as many as are found where there is no limit."""
        if not self.items:
            return []
        found = self._index.search(query, limit or len(self.items))
        return [with_score(self.items[int(key)], score) for key, score in found]

    @cached_property
    def _index(self) -> SearchIndex:
        index, _ = open_fused_index(HybridMemoryConfig(model=self._embedding))
        index.add([f"{number:012d}" for number in range(len(self.items))], [item.text for item in self.items])
        return index
