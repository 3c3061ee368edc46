"""A search index by meaning: texts as vectors of wordllama, compared by cosine."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self

import numpy as np

from heta_framework.common.models.embedding.wordllama import WordLlamaEmbedding
from heta_framework.common.stores.vector.matrix import VectorMatrix


class EmbeddedTexts:
    """A ``SearchIndex`` over an exact vector matrix. A text without tokens has no vector and is never found."""

    def __init__(self, matrix: VectorMatrix | None = None) -> None:
        self._model = WordLlamaEmbedding()
        self._matrix = matrix if matrix is not None else VectorMatrix(self._model.dimension)

    def add(self, ids: Sequence[str], texts: Sequence[str]) -> None:
        """Embed all texts in one batch and add their vectors."""
        vectors = self._model.embed_texts(texts)
        rows = np.flatnonzero(vectors.any(axis=1)).tolist()
        self._matrix.add([ids[row] for row in rows], vectors[rows])

    def delete(self, ids: Iterable[str]) -> int:
        """Remove vectors; return how many were held."""
        return self._matrix.delete(ids)

    def search(self, query: str, k: int = 10) -> list[tuple[str, float]]:
        """The k nearest (id, cosine), however far away they are; [] for a query without tokens."""
        (vector,) = self._model.embed_texts([query])
        return self._matrix.search(vector, k) if vector.any() else []

    def fork(self) -> Self:
        """An independent copy that costs nothing until it is written to."""
        return self.__class__(self._matrix.fork())

    def save(self, directory: Path) -> Path:
        """Write the vectors to one checksummed file in ``directory``."""
        return self._matrix.save(directory)

    @classmethod
    def load(cls, directory: Path) -> Self:
        """Read what ``save`` wrote.

        Raises:
            SnapshotError: it is missing, cut or altered.
        """
        return cls(VectorMatrix.load(directory))
