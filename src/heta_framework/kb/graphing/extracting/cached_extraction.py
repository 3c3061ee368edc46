"""Extraction of many chunks: a text that was extracted before, for whatever knowledge base, is not extracted again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.derived.cache_writer import CacheWriter
from heta_framework.kb.derived.step_cache import StepCache
from heta_framework.kb.graphing.extracting.extractor import Extracted, GraphExtractor
from heta_framework.kb.graphing.mentions import TextGraph


@dataclass
class ExtractionCount:
    """What was asked of the extractor in this run: texts, and those that it never answered."""

    asked: int = 0
    unanswered: int = 0
    problems: list[str] = field(default_factory=list)


class CachedExtraction:
    """A `GraphExtractor` before which stands a step cache. What failed is not kept: the next run tries again."""

    def __init__(self, extractor: GraphExtractor, cache: StepCache) -> None:
        self._extractor = extractor
        self.cache = cache
        self._writer = CacheWriter(cache)
        self.count = ExtractionCount()

    async def of(self, chunks: Sequence[Chunk]) -> dict[str, Extracted]:
        """What is in these chunks, by the hash of their text."""
        by_text = {chunk.text_sha256: chunk for chunk in chunks}
        missing = set(await self.cache.missing(by_text))
        fresh = await self._extract([chunk for digest, chunk in by_text.items() if digest in missing])
        known = await self.cache.get([digest for digest in by_text if digest not in missing])
        # a pack that turned out to be torn while it was read
        lost = [chunk for digest, chunk in by_text.items() if digest not in fresh and digest not in known]
        fresh |= await self._extract(lost)
        return {**{digest: Extracted(TextGraph.from_bytes(data)) for digest, data in known.items()}, **fresh}

    async def close(self) -> None:
        """Keep what was extracted."""
        await self._writer.close()

    async def _extract(self, chunks: Sequence[Chunk]) -> dict[str, Extracted]:
        found: dict[str, Extracted] = {}
        async for chunk, extracted in self._extractor.extract(chunks):
            found[chunk.text_sha256] = extracted
            self._note(extracted)
            if extracted.whole:
                await self._writer.add({chunk.text_sha256: extracted.graph.to_bytes()})
        return found

    def _note(self, extracted: Extracted) -> None:
        self.count.asked += 1
        if extracted.unanswered:
            self.count.unanswered += 1
            self.count.problems.append(extracted.entities_failed or extracted.relations_failed or "")
