"""A search index by words and by meaning: two rankings fused into one."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from heams.memory.embedded_texts import EmbeddedTexts
from heta_framework.common.stores.fusion import rrf
from heta_framework.common.stores.text_index.bm25 import Bm25Index


class Fusion(NamedTuple):
    """How rankings are fused: their weights, RRF's constant, and how many places of each ranking take part."""

    lexical_weight: float
    vector_weight: float
    rrf_k: float
    candidates: int


class FusedIndex:
    """A ``SearchIndex`` over two others, ranked by weighted reciprocal rank fusion."""

    def __init__(self, lexical: Bm25Index, vector: EmbeddedTexts, fusion: Fusion) -> None:
        self._lexical = lexical
        self._vector = vector
        self._fusion = fusion

    def add(self, ids: Sequence[str], texts: Sequence[str]) -> None:
        """Add texts to both."""
        self._vector.add(ids, texts)
        self._lexical.add(ids, texts)

    def delete(self, ids: Iterable[str]) -> None:
        """Remove texts from both."""
        gone = list(ids)
        self._vector.delete(gone)
        self._lexical.delete(gone)

    def search(self, query: str, k: int = 10) -> list[tuple[str, float]]:
        """The k best (id, fused score); at least k places of each ranking take part."""
        places = max(k, self._fusion.candidates)
        rankings = [[found for found, _ in index.search(query, places)] for index in (self._lexical, self._vector)]
        weights = (self._fusion.lexical_weight, self._fusion.vector_weight)
        return rrf(rankings, k=self._fusion.rrf_k, weights=weights)[:k]

    def fork(self) -> Self:
        """An independent copy that costs nothing until it is written to."""
        return self.__class__(self._lexical.fork(), self._vector.fork(), self._fusion)

    def save(self, directory: Path) -> None:
        """Write both to ``directory``, a checksummed file each."""
        self._lexical.save(directory)
        self._vector.save(directory)

    @classmethod
    def load(cls, directory: Path, *, fusion: Fusion) -> Self:
        """Read what ``save`` wrote.

        Raises:
            SnapshotError: one of the files is missing, cut or altered.
        """
        return cls(Bm25Index.load(directory), EmbeddedTexts.load(directory), fusion)
