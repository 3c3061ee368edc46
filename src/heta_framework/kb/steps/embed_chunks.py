"""Embeds chunks: each distinct text once for all knowledge bases of an object store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heta_framework.common.models.embedding.rows import BadVectorError, embed_rows
from heta_framework.common.stores.fields import positive
from heta_framework.kb.chunks import Chunk
from heta_framework.kb.components import model_ref, store_ref
from heta_framework.kb.context import StepExecutionContext, execution
from heta_framework.kb.derived.cache_writer import CacheWriter, torn_pack_issues
from heta_framework.kb.derived.chunk_packs import read_chunks
from heta_framework.kb.derived.embeddings import embedding_cache, embedding_payload, embedding_space
from heta_framework.kb.errors import StepError
from heta_framework.kb.steps.cleanup import StepCleanupPlan
from heta_framework.kb.steps.model_dimension import known_dimension, remember_dimension
from heta_framework.kb.steps.presets import Preset, by_preset, check_preset
from heta_framework.kb.steps.protocol import StepCapabilities, StepContextProtocol, StepRequirements

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_TEXTS_AT_ONCE = 500
_PROBE = "dimension"


@dataclass(frozen=True)
class EmbedChunksConfig:
    """How chunks are embedded.

    Attributes:
        embeddings_prefix: accepted for compatibility; vectors lie in the step cache.
        batch_size: texts of one request; a model that computes here gets some hundred at once.
        object_store, embedding_model: named components; None for the recipe's slots.
        chunk_keys_artifact, chunk_embedding_keys_artifact, result_artifact: None for the preset's names.
        preset: ``default`` or ``wiki``.
    """

    embeddings_prefix: str | None = None
    batch_size: int = 10
    object_store: str | None = None
    embedding_model: str | None = None
    chunk_keys_artifact: str | None = None
    preset: Preset = "default"
    chunk_embedding_keys_artifact: str | None = None
    result_artifact: str | None = None

    def __post_init__(self) -> None:
        positive("batch_size", self.batch_size)
        check_preset(self.preset)
        for name, default, wiki in (
            ("embeddings_prefix", "embeddings", "wiki_embeddings"),
            ("chunk_keys_artifact", "chunk_keys", "wiki_chunk_keys"),
            ("chunk_embedding_keys_artifact", "chunk_embedding_keys", "wiki_chunk_embedding_keys"),
            ("result_artifact", "embed_chunks_result", "embed_wiki_chunks_result"),
        ):
            object.__setattr__(self, name, by_preset(self.preset, getattr(self, name), default, wiki))


@dataclass(frozen=True)
class EmbedChunksResult:
    """What the step did.

    Attributes:
        embedding_keys: packs of the step cache that hold vectors of this model.
        chunk_count: chunks that this run looked at.
    """

    embedding_keys: tuple[str, ...]
    chunk_count: int
    model_name: str
    dimension: int


class EmbedChunks:
    """Makes the vectors of chunks. Vectors of another model or length are never used again."""

    name = "embed_chunks"

    def __init__(self, config: EmbedChunksConfig | None = None) -> None:
        self.config = config or EmbedChunksConfig()

    @property
    def requirements(self) -> StepRequirements:
        """The embedding model, the object store and the chunks."""
        return StepRequirements(
            components=frozenset(
                {model_ref("embedding", self.config.embedding_model), store_ref("objects", self.config.object_store)}
            ),
            artifacts=frozenset({str(self.config.chunk_keys_artifact)}),
        )

    @property
    def capabilities(self) -> StepCapabilities:
        """The vectors and the result."""
        made = {self.config.chunk_embedding_keys_artifact, self.config.result_artifact}
        return StepCapabilities(artifacts=frozenset(map(str, made)))

    async def run(self, context: StepContextProtocol) -> None:
        """Embed the chunks that were added.

        Raises:
            StepError: the model gave a vector that is not finite, or of another length; names chunk and document.
        """
        await _Embedding(self.config, execution(context), self.name).run()

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """Nothing: vectors stay in the step cache, other knowledge bases may share them."""
        return StepCleanupPlan()


class _Embedding:
    """One run of the step."""

    def __init__(self, config: EmbedChunksConfig, context: StepExecutionContext, step: str) -> None:
        self._config = config
        self._context = context
        self._step = step
        self._objects = context.objects(config.object_store)
        self._model = context.get_component(model_ref("embedding", config.embedding_model).key)

    async def run(self) -> None:
        context, config = self._context, self._config
        dimension = known_dimension(self._model) or await self._probe()
        space = embedding_space(self._model.model_name, dimension)
        self._cache = embedding_cache(context, space, store=config.object_store)
        self._writer = CacheWriter(self._cache)
        keys = context.get_artifact(str(config.chunk_keys_artifact)) if context.delta.full else None
        count = await self._embed_all(context.delta.added_chunk_keys if keys is None else keys, dimension)
        packs = await self._cache.pack_keys()
        for issue in torn_pack_issues(self._cache, self._step):
            context.report(issue)
        context.set_artifact(str(config.chunk_embedding_keys_artifact), packs)
        context.set_artifact(space_artifact(config.preset), space)
        result = EmbedChunksResult(packs, count, self._model.model_name, dimension)
        context.set_artifact(str(config.result_artifact), result)

    async def _probe(self) -> int:
        try:
            rows = await embed_rows(self._model, [_PROBE], {"step": self._step})
        except BadVectorError as error:
            raise StepError(f"model {self._model.model_name!r}, asked for its dimension: {error}") from error
        remember_dimension(self._model, rows.shape[1])
        return int(rows.shape[1])

    async def _embed_all(self, chunk_keys: Sequence[str], dimension: int) -> int:
        count = 0
        try:
            async for chunks in read_chunks(self._objects, chunk_keys):
                first: dict[str, Chunk] = {}
                for chunk in chunks:
                    first.setdefault(chunk.text_sha256, chunk)
                missing = [first[key] for key in await self._cache.missing(first)]
                for start in range(0, len(missing), self._at_once):
                    self._say_done(count + len(chunks) - len(missing) + start)
                    await self._embed(missing[start : start + self._at_once], dimension)
                count += len(chunks)
                self._say_done(count)
        finally:
            await self._writer.close()
        return count

    def _say_done(self, count: int) -> None:
        self._context.progress(self._step, count, self._context.delta.added_chunk_count)

    @property
    def _at_once(self) -> int:
        return max(_TEXTS_AT_ONCE, self._config.batch_size)

    async def _embed(self, chunks: Sequence[Chunk], dimension: int) -> None:
        rows = await self._rows(chunks)
        if rows.shape[1] != dimension:
            raise self._bad(chunks[0], f"a vector of {rows.shape[1]} components, others have {dimension}")
        vectors = {chunk.text_sha256: embedding_payload(row) for chunk, row in zip(chunks, rows, strict=True)}
        await self._writer.add(vectors)

    async def _rows(self, chunks: Sequence[Chunk]) -> npt.NDArray[np.float32]:
        texts = [chunk.text for chunk in chunks]
        try:
            return await embed_rows(self._model, texts, {"step": self._step}, batch_size=self._config.batch_size)
        except BadVectorError as error:
            raise self._bad(chunks[error.row or 0], str(error)) from error

    def _bad(self, chunk: Chunk, what: str) -> StepError:
        return StepError(
            f"model {self._model.model_name!r} gave {what} for chunk {chunk.chunk_id} of document "
            f"{chunk.document_id!r}",
            document=chunk.document_id,
        )


def space_artifact(preset: str) -> str:
    """The artifact that says where the vectors of a preset are."""
    return by_preset(preset, None, "embedding_space", "wiki_embedding_space")
