"""Extraction without a model, in worker threads."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from anyio import to_thread

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.graphing.extracting.extractor import Extracted
from heta_framework.kb.graphing.lexical.extraction import LEXICAL_VERSION, extract_lexically
from heta_framework.kb.graphing.mentions import TextGraph

_CHUNKS_A_HOP = 64


class LexicalExtractor:
    """A `GraphExtractor` of noun-phrase-like spans and their neighbours, see `heta_framework.kb.graphing.lexical`."""

    @property
    def settings(self) -> tuple[object, ...]:
        """The version of its rules."""
        return (LEXICAL_VERSION,)

    async def extract(self, chunks: Sequence[Chunk]) -> AsyncIterator[tuple[Chunk, Extracted]]:
        """What is in each chunk, in their order."""
        for group in _groups(chunks):
            for chunk, graph in zip(group, await to_thread.run_sync(_extract_all, group), strict=True):
                yield chunk, Extracted(graph)


def _groups(chunks: Sequence[Chunk]) -> list[Sequence[Chunk]]:
    return [chunks[start : start + _CHUNKS_A_HOP] for start in range(0, len(chunks), _CHUNKS_A_HOP)]


def _extract_all(chunks: Sequence[Chunk]) -> list[TextGraph]:
    return [extract_lexically(chunk.text) for chunk in chunks]
