"""The packs of entities and relations by chunk: begun anew by a build, continued by an update."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.derived.packs import PackWriter, packs_without, sweep
from heta_framework.kb.graphing.extracting.chunk_facts import chunk_facts
from heta_framework.kb.graphing.fact_packs import fact_record, packs_prefix
from heta_framework.kb.graphing.mentions import TextGraph

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
    from heta_framework.kb.context import StepExecutionContext


class ChunkGraphPacks:
    """Writes what was found in chunks: of entities and of relations each packs of their own."""

    def __init__(self, objects: ObjectStoreProtocol, kinds: Sequence[_Kind]) -> None:
        self._kinds = kinds
        self._writers = [PackWriter(objects, kind.prefix) for kind in kinds]

    @classmethod
    async def opened(
        cls,
        run: StepExecutionContext,
        objects: ObjectStoreProtocol,
        prefixes: Sequence[str],
        artifacts: Sequence[str],
    ) -> ChunkGraphPacks:
        """The packs of this knowledge base; an update keeps what the artifacts name, without the removed chunks.

        Raises:
            LostArtifactError: a pack that is to be kept is gone or damaged.
        """
        placed = [packs_prefix(prefix, run.namespace) for prefix in prefixes]
        pairs = zip(placed, artifacts, strict=True)
        return cls(objects, [await _opened(run, objects, prefix, artifact) for prefix, artifact in pairs])

    async def add(self, found: Sequence[tuple[Chunk, TextGraph]]) -> tuple[int, int]:
        """Take what was found in chunks; the numbers of entities and relations."""
        *records, entities, relations = await to_thread.run_sync(_records, found)
        for writer, group in zip(self._writers, records, strict=True):
            await writer.add(group)
        return entities, relations

    async def close(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The keys of all packs, entities then relations."""
        entities, relations = [
            tuple(dict.fromkeys((*kind.kept, *await writer.close())))
            for kind, writer in zip(self._kinds, self._writers, strict=True)
        ]
        return entities, relations


@dataclass(frozen=True)
class _Kind:
    prefix: str
    kept: tuple[str, ...]


async def _opened(run: StepExecutionContext, objects: ObjectStoreProtocol, prefix: str, artifact: str) -> _Kind:
    """Packs of before that a killed run left are swept; those that stand are swept when nothing names them any more."""
    known = () if run.delta.full else tuple(run.artifacts.get(artifact) or ())
    await sweep(objects, prefix, known)
    gone = run.delta.removed_chunk_ids
    if not gone:
        return _Kind(prefix, known)
    kept, _ = await packs_without(objects, prefix, known, lambda chunk_id, _: chunk_id in gone)
    return _Kind(prefix, kept)


def _records(found: Sequence[tuple[Chunk, TextGraph]]) -> tuple[list[Any], list[Any], int, int]:
    entity_records, relation_records = [], []
    entity_count = relation_count = 0
    for chunk, graph in found:
        entities, relations = chunk_facts(chunk, graph)
        entity_count += len(entities)
        relation_count += len(relations)
        if entities:
            entity_records.append(fact_record(chunk.chunk_id, entities))
        if relations:
            relation_records.append(fact_record(chunk.chunk_id, relations))
    return entity_records, relation_records, entity_count, relation_count
