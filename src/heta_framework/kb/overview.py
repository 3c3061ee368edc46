"""What is in a knowledge base, at a glance: how much, of which kinds, what went otherwise than asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heta_framework.kb.knowledge_base import KnowledgeBase


@dataclass(frozen=True)
class KnowledgeBaseOverview:
    """Counts of a knowledge base; ``str()`` makes lines of them for a terminal.

    Attributes:
        status: of the last run, e.g. ``succeeded``.
        documents: how many are in.
        documents_by_type: the same by file type, e.g. ``{"pdf": 2, "txt": 7}``.
        without_chunks: ids of documents in which there is no text to be found.
        chunks, characters: how many chunks, and the code points of their texts together.
        issues: how many by code; ``run_record.issues`` holds each.
        modes: the query modes.
    """

    name: str
    status: str
    documents: int
    documents_by_type: Mapping[str, int]
    without_chunks: tuple[str, ...]
    chunks: int
    characters: int
    issues: Mapping[str, int]
    modes: tuple[str, ...]

    def __str__(self) -> str:
        rows = {
            "documents": f"{self.documents}{_listed(self.documents_by_type)}",
            "chunks": f"{self.chunks} ({self.characters} characters)",
            "without chunks": ", ".join(self.without_chunks),
            "issues": f"{sum(self.issues.values())}{_listed(self.issues)}",
            "modes": ", ".join(self.modes) or "none",
        }
        lines = (f"  {label:<15} {text}" for label, text in rows.items() if text)
        return "\n".join((f"{self.name}: {self.status}", *lines))


async def overview_of(kb: KnowledgeBase) -> KnowledgeBaseOverview:
    """Count; every listing of documents and every pack of chunks is read once."""
    entries = await kb.documents()
    chunks = characters = 0
    with_chunks: set[str] = set()
    async for chunk in await kb.chunks():
        chunks += 1
        characters += len(chunk.text)
        with_chunks.add(chunk.document_id)
    return KnowledgeBaseOverview(
        name=kb.name,
        status=kb.run_record.status,
        documents=len(entries),
        documents_by_type=_sorted(Counter(entry.file_type for entry in entries)),
        without_chunks=tuple(entry.document_id for entry in entries if entry.document_id not in with_chunks),
        chunks=chunks,
        characters=characters,
        issues=_sorted(Counter(issue.code for issue in kb.run_record.issues)),
        modes=tuple(sorted(kb.available_queries)),
    )


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _listed(counts: Mapping[str, int]) -> str:
    return f" ({', '.join(f'{name} {count}' for name, count in counts.items())})" if counts else ""
