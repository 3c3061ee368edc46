"""Extraction by a language model: first the entities of a text, then what it says of them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.graphing.asking import NoUsableReplyError, ask_until_usable
from heta_framework.kb.graphing.extracting.extractor import Extracted
from heta_framework.kb.graphing.extracting.model_replies import read_entities, read_relations
from heta_framework.kb.graphing.mentions import EntityMention, RelationMention, TextGraph
from heta_framework.kb.graphing.prompts import graph_prompt

if TYPE_CHECKING:
    from heta_framework.common.models.language.protocol import LanguageModelProtocol

_CONCURRENT_CHUNKS = 16
_FEWEST_RELATED = 2


class ModelExtractor:
    """A `GraphExtractor` that asks a model; texts are asked about concurrently, the model's own limits hold."""

    def __init__(self, model: LanguageModelProtocol, *, step: str, max_attempts: int, temperature: float) -> None:
        self._model = model
        self._step = step
        self._max_attempts = max_attempts
        self._temperature = temperature

    @property
    def settings(self) -> tuple[object, ...]:
        """Model, prompts and temperature."""
        versions = (graph_prompt("extract_entities").version, graph_prompt("extract_relations").version)
        return ("model", self._model.model_name, *versions, self._temperature)

    async def extract(self, chunks: Sequence[Chunk]) -> AsyncIterator[tuple[Chunk, Extracted]]:
        """What is in each chunk, group by group."""
        for start in range(0, len(chunks), _CONCURRENT_CHUNKS):
            group = chunks[start : start + _CONCURRENT_CHUNKS]
            for chunk, extracted in zip(group, await self._extract_group(group), strict=True):
                yield chunk, extracted

    async def _extract_group(self, chunks: Sequence[Chunk]) -> list[Extracted]:
        from heta_framework.common.models.many import in_order

        return await in_order(self._extract(chunk) for chunk in chunks)

    async def _extract(self, chunk: Chunk) -> Extracted:
        try:
            entities = await self._entities(chunk)
        except NoUsableReplyError as error:
            return Extracted(TextGraph(), entities_failed=str(error), unanswered=error.unanswered)
        if len(entities) < _FEWEST_RELATED:
            return Extracted(TextGraph(entities))
        try:
            relations = await self._relations(chunk, entities)
        except NoUsableReplyError as error:
            return Extracted(TextGraph(entities), relations_failed=str(error), unanswered=error.unanswered)
        return Extracted(TextGraph(entities, relations))

    async def _entities(self, chunk: Chunk) -> tuple[EntityMention, ...]:
        return await ask_until_usable(
            self._model,
            graph_prompt("extract_entities"),
            {"text": chunk.text},
            read_entities,
            keys=("entities",),
            trace_context=self._trace(chunk, "entity_extraction"),
            max_attempts=self._max_attempts,
            temperature=self._temperature,
        )

    async def _relations(self, chunk: Chunk, entities: tuple[EntityMention, ...]) -> tuple[RelationMention, ...]:
        listed = [{"name": entity.name, "type": entity.type, "description": entity.description} for entity in entities]
        return await ask_until_usable(
            self._model,
            graph_prompt("extract_relations"),
            {"entities": json.dumps(listed, ensure_ascii=False), "text": chunk.text},
            partial(read_relations, entities=entities),
            keys=("relations",),
            trace_context=self._trace(chunk, "relation_extraction"),
            max_attempts=self._max_attempts,
            temperature=self._temperature,
        )

    def _trace(self, chunk: Chunk, stage: str) -> dict[str, object]:
        return {"step": self._step, "stage": stage, "chunk_id": chunk.chunk_id}
