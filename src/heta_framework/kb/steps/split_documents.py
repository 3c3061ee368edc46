"""Splits the pages of documents into chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from anyio import to_thread

from heta_framework.common.stores.fields import positive
from heta_framework.kb.chunking.encodings import is_substituted, resolved_encoding
from heta_framework.kb.chunking.shared_packs import ChunkPacks, SharedChunkPacks
from heta_framework.kb.chunking.split_batch import SplitBatch
from heta_framework.kb.chunking.splitter import Splitter
from heta_framework.kb.components import store_ref
from heta_framework.kb.context import StepExecutionContext, execution
from heta_framework.kb.derived.cache_writer import CacheWriter, torn_pack_issues
from heta_framework.kb.derived.document_packs import read_documents
from heta_framework.kb.derived.packs import PackWriter, Record, compacted, sweep
from heta_framework.kb.documents import DocumentEntry
from heta_framework.kb.parsing.parse_record import parse_cache
from heta_framework.kb.steps.chunk_removal import chunk_packs_without
from heta_framework.kb.steps.cleanup import StepCleanupPlan
from heta_framework.kb.steps.errors import LostArtifactError
from heta_framework.kb.steps.issues import IssueResolution, IssueSubject, StepIssue
from heta_framework.kb.steps.pack_artifacts import pack_cleanup, packs_are_whole
from heta_framework.kb.steps.protocol import StepCapabilities, StepContextProtocol, StepRequirements

_KEYS = "chunk_keys"
_RESULT = "split_documents_result"
_FORMAT = 2
_BATCH = 200
_MARKS = ("。", ".", ",", "，", "!", "?", "！", "？", "\n")


@dataclass(frozen=True)
class SplitDocumentsConfig:
    """How pages are split.

    Attributes:
        chunks_prefix: where the chunks go.
        chunk_size: the most that a chunk holds, in what the encoding counts.
        overlap: what two neighbours share; smaller than ``chunk_size``.
        encoding_name: ``wordllama`` (tokens of the tokenizer that is shipped), ``unicode`` or ``characters`` (code
            points). The names of tiktoken, whose tables are downloaded at run time, stand for ``wordllama``.
        split_punctuation: the marks that ``window`` cuts back to.
        object_store: a named store; None for the recipe's slot.
        splitter: ``semantic`` or ``window``, see `heta_framework.kb.chunking.splitter`; None: ``window`` for
            ``unicode``, else ``semantic``.
    """

    chunks_prefix: str = "chunks"
    chunk_size: int = 1024
    overlap: int = 50
    encoding_name: str = "cl100k_base"
    split_punctuation: tuple[str, ...] = _MARKS
    object_store: str | None = None
    parsed_document_keys_artifact: str = "parsed_document_keys"
    splitter: Literal["semantic", "window"] | None = None

    def __post_init__(self) -> None:
        positive("chunk_size", self.chunk_size)
        if self.overlap < 0:
            raise ValueError("overlap must not be negative")
        if self.overlap >= self.chunk_size:
            raise ValueError("overlap must be smaller than chunk_size")
        if not self.encoding_name.strip():
            raise ValueError("encoding_name must not be empty")
        if not self.split_punctuation or not all(self.split_punctuation):
            raise ValueError("split_punctuation must not be empty")
        if self.splitter not in (None, "semantic", "window"):
            raise ValueError(f"splitter must be one of: semantic, window; found {self.splitter!r}")
        object.__setattr__(self, "split_punctuation", tuple(self.split_punctuation))
        resolved_encoding(self.encoding_name)

    def as_splitter(self) -> Splitter:
        """What splits so."""
        encoding = resolved_encoding(self.encoding_name)
        rule = self.splitter or ("window" if encoding == "unicode" else "semantic")
        return Splitter(encoding, rule, self.chunk_size, self.overlap, self.split_punctuation)


@dataclass(frozen=True)
class SplitDocumentsResult:
    """What the step did.

    Attributes:
        chunk_keys: packs with all chunks.
        document_count, chunk_count: documents that were split in this run, and the chunks made of them.
    """

    chunk_keys: tuple[str, ...]
    document_count: int
    chunk_count: int


class SplitDocuments:
    """Makes the chunks that are embedded, indexed and found. A blank piece is no chunk."""

    name = "split_documents"

    def __init__(self, config: SplitDocumentsConfig | None = None) -> None:
        self.config = config or SplitDocumentsConfig()

    @property
    def requirements(self) -> StepRequirements:
        """The object store and the listing of documents."""
        return StepRequirements(
            components=frozenset({store_ref("objects", self.config.object_store)}),
            artifacts=frozenset({self.config.parsed_document_keys_artifact}),
        )

    @property
    def capabilities(self) -> StepCapabilities:
        """The chunks and the result."""
        return StepCapabilities(artifacts=frozenset({_KEYS, _RESULT}))

    async def run(self, context: StepContextProtocol) -> None:
        """Split the documents that were added; drop the chunks of those that were removed.

        Raises:
            LostArtifactError: what was parsed is gone.
        """
        await _Splitting(self.config, execution(context), self.name).run()

    async def intact(self, context: StepContextProtocol) -> bool:
        """Whether the chunks can be read."""
        return await packs_are_whole(execution(context), _KEYS, self.config.object_store)

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """The chunks."""
        return pack_cleanup(artifacts, _KEYS, self.config.chunks_prefix, self.config.object_store)


class _Splitting:
    """One run of the step."""

    def __init__(self, config: SplitDocumentsConfig, context: StepExecutionContext, step: str) -> None:
        self._config = config
        self._context = context
        self._step = step
        self._objects = context.objects(config.object_store)
        self._prefix = f"{config.chunks_prefix.rstrip('/')}/{context.namespace}/"
        self._splitter = config.as_splitter()
        self._parsed = parse_cache(context, config.object_store)
        self._spans = context.cache("split", _FORMAT, self._splitter, store=config.object_store)
        self._writer = CacheWriter(self._spans)
        notes = context.cache("chunk_packs", _FORMAT, self._splitter, store=config.object_store)
        self._shared = SharedChunkPacks(self._objects, notes, self._prefix)
        self._documents = self._chunks = 0

    async def run(self) -> None:
        context, delta = self._context, self._context.delta
        self._say_substituted()
        known = () if delta.full else tuple(context.artifacts.get(_KEYS) or ())
        if not delta.full:
            await sweep(self._objects, self._prefix, known)
        kept, removed = await chunk_packs_without(self._objects, self._prefix, known, delta.removed_document_ids)
        delta.removed_chunk_ids = removed
        kept = await compacted(self._objects, self._prefix, kept)
        listing = context.get_artifact(self._config.parsed_document_keys_artifact)
        delta.added_chunk_keys = await self._add(listing if delta.full else delta.added_document_keys)
        delta.added_chunk_count = self._chunks
        keys = tuple(dict.fromkeys((*kept, *delta.added_chunk_keys)))
        if delta.full:
            await sweep(self._objects, self._prefix, keys)
        context.set_artifact(_KEYS, keys)
        context.set_artifact(_RESULT, SplitDocumentsResult(keys, self._documents, self._chunks))

    async def _add(self, document_keys: Sequence[str]) -> tuple[str, ...]:
        keys: list[str] = []
        for listing in document_keys:
            packs = await self._shared.copied(listing)
            if packs is None:
                packs = await self._made(listing)
                self._shared.made(listing, packs)
            keys += packs.keys
            self._documents += packs.documents
            self._chunks += packs.chunks
            self._context.progress(self._step, self._documents, None)
        await self._writer.close()
        await self._shared.close()
        for cache in (self._parsed, self._spans):
            for issue in torn_pack_issues(cache, self._step):
                self._context.report(issue)
        return tuple(dict.fromkeys(keys))

    async def _made(self, listing: str) -> ChunkPacks:
        packs = PackWriter(self._objects, self._prefix)
        documents = chunks = 0
        async for entries in read_documents(self._objects, [listing]):
            for start in range(0, len(entries), _BATCH):
                records = await self._records(entries[start : start + _BATCH])
                await packs.add(records)
                documents += len(entries[start : start + _BATCH])
                chunks += len(records)
                self._context.progress(self._step, self._documents + documents, None)
        return ChunkPacks(await packs.close(), documents, chunks)

    async def _records(self, entries: Sequence[DocumentEntry]) -> list[Record]:
        """The chunks of some documents, as records of a pack."""
        keys = list(dict.fromkeys(entry.parse_key for entry in entries))
        parsed = await self._parsed.get(keys)
        for entry in entries:
            if entry.parse_key not in parsed:
                raise LostArtifactError(
                    f"the pages of {entry.key} are gone from the step cache", document=entry.document_id
                )
        work = SplitBatch(self._splitter, entries, parsed, await self._spans.get(keys))
        records = await to_thread.run_sync(work.records)
        await self._writer.add(work.fresh)
        return records

    def _say_substituted(self) -> None:
        name = self._config.encoding_name
        if is_substituted(name):
            message = f"sizes are in tokens of the shipped tokenizer: the tables of {name!r} are not shipped"
            self._context.report(
                StepIssue(
                    self._step,
                    IssueSubject("setting", "encoding_name"),
                    message,
                    "encoding_substituted",
                    "info",
                    IssueResolution("counted with 'wordllama'", "sizes differ a little"),
                )
            )
