"""What a memory with a search needs of its index; ``Bm25Index`` offers it as it is."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, Self


class SearchIndex(Protocol):
    """Texts under keys, ranked for a query. All calls are synchronous and short."""

    def add(self, ids: Sequence[str], texts: Sequence[str]) -> None:
        """Add texts under new keys."""
        ...

    def delete(self, ids: Iterable[str]) -> Any:
        """Remove texts; unknown keys are passed over."""
        ...

    def search(self, query: str, k: int = 10) -> Sequence[tuple[str, float]]:
        """The k best (key, score), best first, equal scores in ascending order of key."""
        ...

    def fork(self) -> Self:
        """An independent copy that costs nothing until it is written to."""
        ...

    def save(self, directory: Path) -> Any:
        """Write the state to checksummed files in ``directory``."""
        ...
