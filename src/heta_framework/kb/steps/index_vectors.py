"""Puts the vectors of chunks into a vector collection of the knowledge base's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from heta_framework.common.stores.fields import positive
from heta_framework.common.stores.vector.errors import DamagedCollectionError
from heta_framework.common.stores.vector.types import VectorCollectionConfig, VectorRecord, checked_metric
from heta_framework.kb.chunks import Chunk
from heta_framework.kb.components import store_ref
from heta_framework.kb.context import StepExecutionContext, execution
from heta_framework.kb.derived.chunk_packs import read_chunks
from heta_framework.kb.derived.embeddings import read_embeddings
from heta_framework.kb.search.assets import SearchAsset
from heta_framework.kb.search.chunk_records import chunk_metadata
from heta_framework.kb.steps.cleanup import StepCleanupPlan
from heta_framework.kb.steps.embed_chunks import space_artifact
from heta_framework.kb.steps.index_batches import Batches, records_at_once
from heta_framework.kb.steps.index_state import index_cleanup, state_artifact
from heta_framework.kb.steps.issues import IssueResolution, IssueSubject, StepIssue
from heta_framework.kb.steps.presets import Preset, by_preset, check_preset
from heta_framework.kb.steps.protocol import StepCapabilities, StepContextProtocol, StepRequirements

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_NAMED_CHUNKS = 10


@dataclass(frozen=True)
class ChunkVectorCollections:
    """Logical names of collections; the stores' own names hold the knowledge base's namespace too."""

    chunks: str = "chunks"


@dataclass(frozen=True)
class IndexVectorsConfig:
    """How vectors are indexed.

    Attributes:
        collection_names: None for the preset's name.
        metric: ``cosine``, ``dot`` or ``l2``.
        batch_size: records of one call, at least; a store in this process gets more at once.
        object_store, vector_store: named components; None for the recipe's slots.
        preset: ``default`` or ``wiki``; gives the artifacts, the query mode and the asset their names unless they are
            given here.
    """

    collection_names: ChunkVectorCollections | None = None
    metric: str = "cosine"
    batch_size: int = 128
    object_store: str | None = None
    vector_store: str | None = None
    chunk_keys_artifact: str | None = None
    chunk_embedding_keys_artifact: str | None = None
    preset: Preset = "default"
    result_artifact: str | None = None
    query_mode: str | None = None
    asset_kind: str | None = None

    def __post_init__(self) -> None:
        if self.metric not in ("cosine", "dot", "l2"):
            raise ValueError("metric must be one of: cosine, dot, l2")
        positive("batch_size", self.batch_size)
        check_preset(self.preset)
        names = by_preset(
            self.preset, self.collection_names, ChunkVectorCollections(), ChunkVectorCollections("wiki_chunks")
        )
        object.__setattr__(self, "collection_names", names)
        for name, default, wiki in (
            ("chunk_keys_artifact", "chunk_keys", "wiki_chunk_keys"),
            ("chunk_embedding_keys_artifact", "chunk_embedding_keys", "wiki_chunk_embedding_keys"),
            ("result_artifact", "index_vectors_result", "index_wiki_vectors_result"),
            ("query_mode", "vector_search", "wiki_vector_search"),
            ("asset_kind", "chunk_vector_index", "wiki_chunk_vector_index"),
        ):
            object.__setattr__(self, name, by_preset(self.preset, getattr(self, name), default, wiki))

    @property
    def collection(self) -> str:
        """The logical name of the collection."""
        return (self.collection_names or ChunkVectorCollections()).chunks


@dataclass(frozen=True)
class IndexVectorsResult:
    """What the step did.

    Attributes:
        collection: its logical name.
        indexed_count: records that this run wrote.
    """

    collection: str
    indexed_count: int
    dimension: int


class IndexVectors:
    """Makes chunks findable by their vectors. A chunk whose vector is zero (no tokens) is left out with an issue."""

    name = "index_vectors"

    def __init__(self, config: IndexVectorsConfig | None = None) -> None:
        self.config = config or IndexVectorsConfig()
        self._store_key = store_ref("vector", self.config.vector_store).key

    @property
    def requirements(self) -> StepRequirements:
        """The vector store, the object store, the chunks and their vectors."""
        config = self.config
        return StepRequirements(
            components=frozenset({store_ref("vector", config.vector_store), store_ref("objects", config.object_store)}),
            artifacts=frozenset({str(config.chunk_keys_artifact), str(config.chunk_embedding_keys_artifact)}),
        )

    @property
    def capabilities(self) -> StepCapabilities:
        """The collection and its query mode."""
        config = self.config
        fields = {"id_field": "id", "text_field": "text", "metadata_field": "metadata"}
        metadata = {"collection": config.collection, **fields}
        return StepCapabilities(
            artifacts=frozenset({str(config.result_artifact)}),
            queries=frozenset({str(config.query_mode)}),
            search_assets=(SearchAsset(str(config.asset_kind), config.collection, self._store_key, metadata),),
        )

    async def run(self, context: StepContextProtocol) -> None:
        """Write the vectors of the chunks that were added, delete those that were removed.

        Raises:
            LostArtifactError: a vector is gone from the step cache.
        """
        await _Indexing(self.config, execution(context), self.name).run()

    async def intact(self, context: StepContextProtocol) -> bool:
        """Whether the store still holds what the finished run left."""
        given = execution(context)
        state = given.artifacts.get(state_artifact(str(self.config.result_artifact)))
        store = given.get_component(self._store_key)
        name = given.physical(self.config.collection)
        if not state or not await store.has_collection(name):
            return False
        try:
            return bool(await store.count(name) == state["count"])
        except DamagedCollectionError:
            return False

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """The collection."""
        return index_cleanup(artifacts, "vector_collection", self.config.collection, self._store_key)


@dataclass
class _Indexing:
    """One run of the step."""

    config: IndexVectorsConfig
    context: StepExecutionContext
    step: str
    blank: list[Chunk] = field(default_factory=list)

    async def run(self) -> None:
        config, context = self.config, self.context
        self.store = context.get_component(store_ref("vector", config.vector_store).key)
        self.collection = context.physical(config.collection)
        dimension = int(context.get_artifact(space_artifact(config.preset))["dimension"])
        anew = await self._opened(dimension)
        delta = context.delta
        keys = context.get_artifact(str(config.chunk_keys_artifact)) if anew else delta.added_chunk_keys
        if not anew and delta.removed_chunk_ids:
            await self.store.delete(self.collection, sorted(delta.removed_chunk_ids))
        written = await self._write(keys)
        self._say_blank()
        state = {
            "collection": self.collection,
            "dimension": dimension,
            "count": await self.store.count(self.collection),
        }
        context.set_artifact(state_artifact(str(config.result_artifact)), state)
        result = IndexVectorsResult(config.collection, written, dimension)
        context.set_artifact(str(config.result_artifact), result)

    async def _opened(self, dimension: int) -> bool:
        """Make sure of the collection; whether it is empty and everything has to be written."""
        context = self.context
        there = await self.store.has_collection(self.collection)
        state = context.artifacts.get(state_artifact(str(self.config.result_artifact))) or {}
        anew = context.delta.full or not there or state.get("dimension") != dimension
        if anew:
            if there:
                await self.store.drop_collection(self.collection)
            metric = checked_metric(self.config.metric)
            await self.store.create_collection(VectorCollectionConfig(self.collection, dimension, metric))
        return anew

    async def _write(self, chunk_keys: Sequence[str]) -> int:
        config, context = self.config, self.context
        batches = Batches(records_at_once(self.store, config.batch_size), self._upsert)
        async for chunks in read_chunks(context.objects(config.object_store), chunk_keys):
            vectors = await read_embeddings(
                context, chunks, space_artifact=space_artifact(config.preset), store=config.object_store
            )
            await batches.add(self._records(chunks, vectors))
            context.progress(self.step, batches.count, context.delta.added_chunk_count)
        return await batches.close()

    async def _upsert(self, records: Sequence[VectorRecord]) -> None:
        await self.store.upsert(self.collection, records)

    def _records(self, chunks: Sequence[Chunk], vectors: npt.NDArray[np.float32]) -> list[VectorRecord]:
        filled = cast("npt.NDArray[np.bool_]", vectors.any(axis=1)).tolist()
        self.blank += [chunk for chunk, has in zip(chunks, filled, strict=True) if not has]
        return [
            VectorRecord(chunk.chunk_id, vector, chunk.text, chunk_metadata(chunk))
            for chunk, vector, has in zip(chunks, vectors, filled, strict=True)
            if has
        ]

    def _say_blank(self) -> None:
        if not self.blank:
            return
        named = ", ".join(f"{chunk.chunk_id} of {chunk.document_id!r}" for chunk in self.blank[:_NAMED_CHUNKS])
        more = ", ..." if len(self.blank) > _NAMED_CHUNKS else ""
        message = f"{len(self.blank)} chunks have a zero vector and are not in the vector index: {named}{more}"
        subject = IssueSubject("chunk", self.blank[0].chunk_id)
        resolution = IssueResolution("left out", "found by full text only")
        self.context.report(StepIssue(self.step, subject, message, "zero_vector", "info", resolution))
