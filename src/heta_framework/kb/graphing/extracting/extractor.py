"""What every way of extraction offers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.graphing.mentions import TextGraph


@dataclass(frozen=True, slots=True)
class Extracted:
    """What came of one text.

    Attributes:
        graph: what was found; of a text that failed, what was found before.
        entities_failed, relations_failed: why a part could not be extracted; None where it could.
        unanswered: whether the model never replied: it may be out of reach rather than unable.
    """

    graph: TextGraph
    entities_failed: str | None = None
    relations_failed: str | None = None
    unanswered: bool = False

    @property
    def whole(self) -> bool:
        """Whether nothing failed, so that it can be kept."""
        return self.entities_failed is None and self.relations_failed is None


class GraphExtractor(Protocol):
    """Finds entities and relations."""

    @property
    def settings(self) -> tuple[object, ...]:
        """Everything that its results depend on beside the text: they are kept under it."""
        ...

    def extract(self, chunks: Sequence[Chunk]) -> AsyncIterator[tuple[Chunk, Extracted]]:
        """What is in each chunk, in any order, as soon as it is known."""
        ...
