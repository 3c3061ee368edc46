"""Goes through the facts of all chunks and keeps those that fit a schema."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.components import model_ref
from heta_framework.kb.derived.cache_writer import CacheWriter
from heta_framework.kb.derived.chunk_packs import read_chunks
from heta_framework.kb.derived.packs import PackWriter, read_packs, sweep
from heta_framework.kb.graphing.asking import NoUsableReplyError
from heta_framework.kb.graphing.constraining.by_model import Kept, SchemaModel, applied, fingerprint
from heta_framework.kb.graphing.constraining.by_types import TypeLists
from heta_framework.kb.graphing.fact_packs import Fact, fact_record, packs_prefix
from heta_framework.kb.steps.issues import IssueResolution, IssueSubject, StepIssue

if TYPE_CHECKING:
    from heta_framework.kb.context import StepExecutionContext
    from heta_framework.kb.steps.constrain_graph_by_ontology import ConstrainGraphByOntologyConfig

_CONCURRENT_CHUNKS = 16
Facts = tuple[list[Fact], list[Fact]]
"""The entities and the relations of a chunk."""


@dataclass
class ConstraintCount:
    """How much went in and how much is left."""

    input_entities: int = 0
    input_relations: int = 0
    entities: int = 0
    relations: int = 0
    failed: list[str] = field(default_factory=list)


class Constraint:
    """One run of the step."""

    def __init__(self, run: StepExecutionContext, config: ConstrainGraphByOntologyConfig, step: str) -> None:
        self._run = run
        self._config = config
        self._step = step
        self.count = ConstraintCount()
        ref = model_ref("language", config.language_model)
        self._types = None if run.recipe.has_component(ref) else TypeLists(config.schema)
        if self._types is None:
            model = run.get_component(ref.key)
            self._model = SchemaModel(
                model,
                config.schema,
                step=step,
                max_attempts=config.max_attempts,
                temperature=config.temperature,
            )
            self._cache = run.cache("constrain", *self._model.settings, store=config.object_store)
            self._writer = CacheWriter(self._cache)

    async def written(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Constrain all chunks and write what is left; the keys of the packs of entities and of relations."""
        config, objects = self._config, self._run.objects(self._config.object_store)
        kinds = (
            (config.entities_prefix, config.constrained_entity_keys_artifact),
            (config.relations_prefix, config.constrained_relation_keys_artifact),
        )
        writers: list[PackWriter] = []
        for prefix, artifact in kinds:
            placed = packs_prefix(prefix, self._run.namespace)
            await sweep(objects, placed, self._run.artifacts.get(artifact) or ())
            writers.append(PackWriter(objects, placed))
        async for chunks, facts in self._chunks():
            await self._write(writers, chunks, await self._constrained(chunks, facts))
        if self._types is None:
            await self._writer.close()
        entities, relations = [await writer.close() for writer in writers]
        return entities, relations

    async def _chunks(self) -> AsyncIterator[tuple[list[Chunk], list[Facts]]]:
        """Groups of chunks that have entities, with their facts."""
        config, objects = self._config, self._run.objects(self._config.object_store)
        entities = await self._by_chunk(config.entity_keys_artifact)
        relations = await self._by_chunk(config.relation_keys_artifact)
        self.count.input_entities = sum(map(len, entities.values()))
        self.count.input_relations = sum(map(len, relations.values()))
        async for chunks in read_chunks(objects, self._run.get_artifact(config.chunk_keys_artifact)):
            told = [chunk for chunk in chunks if chunk.chunk_id in entities]
            for start in range(0, len(told), _CONCURRENT_CHUNKS):
                group = told[start : start + _CONCURRENT_CHUNKS]
                yield group, [(entities[one.chunk_id], relations.get(one.chunk_id, [])) for one in group]

    async def _by_chunk(self, artifact: str) -> dict[str, list[Fact]]:
        objects = self._run.objects(self._config.object_store)
        found: dict[str, list[Fact]] = {}
        async for records in read_packs(objects, self._run.get_artifact(artifact)):
            found.update((chunk_id, json.loads(value)) for chunk_id, value in records.items())
        return found

    async def _constrained(self, chunks: Sequence[Chunk], facts: Sequence[Facts]) -> list[Facts]:
        from heta_framework.common.models.many import in_order

        if self._types is not None:
            return [self._by_types(self._types, *pair) for pair in facts]
        known = await self._cache.get({chunk.text_sha256 for chunk in chunks})
        pairs = zip(chunks, facts, strict=True)
        return await in_order(self._by_model(chunk, pair, known.get(chunk.text_sha256)) for chunk, pair in pairs)

    def _by_types(self, types: TypeLists, entities: list[Fact], relations: list[Fact]) -> Facts:
        kept = types.entities(entities)
        return kept, types.relations(_between(relations, kept))

    async def _by_model(self, chunk: Chunk, facts: Facts, known: bytes | None) -> Facts:
        print_ = fingerprint([*facts[0], *facts[1]])
        judgement: dict[str, Any] | None = None if known is None else json.loads(known)
        if judgement is None or judgement["facts"] != print_:
            try:
                judgement = {"facts": print_, **await self._judged(chunk, facts)}
            except NoUsableReplyError as error:
                self._fail(chunk, str(error))
                return [], []
            await self._writer.add({chunk.text_sha256: json.dumps(judgement).encode()})
        entities = applied(judgement["entities"], facts[0])
        return entities, _between(applied(judgement["relations"], facts[1]), entities)

    async def _judged(self, chunk: Chunk, facts: Facts) -> dict[str, Kept]:
        entities = await self._model.judged("entities", chunk, facts[0])
        left = {entity["entity_id"] for entity in applied(entities, facts[0])}
        rows = [row for row, one in enumerate(facts[1]) if {one["source_entity_id"], one["target_entity_id"]} <= left]
        if not rows:
            return {"entities": entities, "relations": []}
        kept = await self._model.judged("relations", chunk, [facts[1][row] for row in rows])
        return {"entities": entities, "relations": [(rows[position], changes) for position, changes in kept]}

    def _fail(self, chunk: Chunk, problem: str) -> None:
        self.count.failed.append(chunk.chunk_id)
        self._run.report(
            StepIssue(
                self._step,
                IssueSubject("chunk", chunk.chunk_id),
                f"the facts of a chunk of {chunk.object_key} could not be compared with the schema: {problem}",
                "constraint_failed",
                resolution=IssueResolution("left_out", "nothing of the chunk is in the graph"),
                details={"document_id": chunk.document_id},
            )
        )

    async def _write(self, writers: Sequence[PackWriter], chunks: Sequence[Chunk], kept: Sequence[Facts]) -> None:
        for chunk, (entities, relations) in zip(chunks, kept, strict=True):
            self.count.entities += len(entities)
            self.count.relations += len(relations)
            for writer, facts in zip(writers, (entities, relations), strict=True):
                await writer.add([fact_record(chunk.chunk_id, facts)] if facts else [])


def _between(relations: list[Fact], entities: list[Fact]) -> list[Fact]:
    ids = {entity["entity_id"] for entity in entities}
    return [one for one in relations if one["source_entity_id"] in ids and one["target_entity_id"] in ids]
