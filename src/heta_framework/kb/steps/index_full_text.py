"""Puts the texts of chunks into a full-text index of the knowledge base's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heta_framework.common.stores.fields import positive
from heta_framework.common.stores.text_index.errors import DamagedIndexError
from heta_framework.common.stores.text_index.types import Stemmer, TextIndexConfig, TextIndexRecord
from heta_framework.kb.components import store_ref
from heta_framework.kb.context import StepExecutionContext, execution
from heta_framework.kb.derived.chunk_packs import read_chunks
from heta_framework.kb.search.assets import SearchAsset
from heta_framework.kb.search.chunk_records import chunk_metadata
from heta_framework.kb.steps.cleanup import StepCleanupPlan
from heta_framework.kb.steps.index_batches import Batches, records_at_once
from heta_framework.kb.steps.index_state import has_text_index, index_cleanup, state_artifact
from heta_framework.kb.steps.presets import Preset, by_preset, check_preset
from heta_framework.kb.steps.protocol import StepCapabilities, StepContextProtocol, StepRequirements


@dataclass(frozen=True)
class FullTextIndexNames:
    """Logical names of indexes; the stores' own names hold the knowledge base's namespace too."""

    chunk_text: str = "chunk_full_text"


@dataclass(frozen=True)
class IndexFullTextConfig:
    """How texts are indexed.

    Attributes:
        index_names: None for the preset's name.
        batch_size: records of one call, at least; a store in this process gets more at once.
        object_store, text_index_store: named components; None for the recipe's slots.
        preset: ``default`` or ``wiki``; gives the artifacts, the query mode and the asset their names unless they are
            given here.
        stemmer: ``english`` or ``none``.
    """

    index_names: FullTextIndexNames | None = None
    batch_size: int = 128
    object_store: str | None = None
    text_index_store: str | None = None
    chunk_keys_artifact: str | None = None
    preset: Preset = "default"
    result_artifact: str | None = None
    query_mode: str | None = None
    asset_kind: str | None = None
    stemmer: Stemmer = "english"

    def __post_init__(self) -> None:
        positive("batch_size", self.batch_size)
        check_preset(self.preset)
        TextIndexConfig("checked", self.stemmer)
        names = by_preset(
            self.preset, self.index_names, FullTextIndexNames(), FullTextIndexNames("wiki_chunk_full_text")
        )
        object.__setattr__(self, "index_names", names)
        for name, default, wiki in (
            ("chunk_keys_artifact", "chunk_keys", "wiki_chunk_keys"),
            ("result_artifact", "index_full_text_result", "index_wiki_full_text_result"),
            ("query_mode", "full_text_search", "wiki_full_text_search"),
            ("asset_kind", "chunk_full_text_index", "wiki_chunk_full_text_index"),
        ):
            object.__setattr__(self, name, by_preset(self.preset, getattr(self, name), default, wiki))

    @property
    def index(self) -> str:
        """The logical name of the index."""
        return (self.index_names or FullTextIndexNames()).chunk_text


@dataclass(frozen=True)
class IndexFullTextResult:
    """What the step did.

    Attributes:
        index_name: its logical name.
        indexed_count: records that this run wrote.
    """

    index_name: str
    indexed_count: int


class IndexFullText:
    """Makes chunks findable by their words."""

    name = "index_full_text"

    def __init__(self, config: IndexFullTextConfig | None = None) -> None:
        self.config = config or IndexFullTextConfig()
        self._store_key = store_ref("text_index", self.config.text_index_store).key

    @property
    def requirements(self) -> StepRequirements:
        """The text index store, the object store and the chunks."""
        config = self.config
        stores = {store_ref("text_index", config.text_index_store), store_ref("objects", config.object_store)}
        return StepRequirements(components=frozenset(stores), artifacts=frozenset({str(config.chunk_keys_artifact)}))

    @property
    def capabilities(self) -> StepCapabilities:
        """The index and its query mode."""
        config = self.config
        fields = {"id_field": "chunk_id", "text_field": "content_text", "metadata_field": "metadata"}
        metadata = {"index": config.index, **fields, "ranking": "bm25"}
        return StepCapabilities(
            artifacts=frozenset({str(config.result_artifact)}),
            queries=frozenset({str(config.query_mode)}),
            search_assets=(SearchAsset(str(config.asset_kind), config.index, self._store_key, metadata),),
        )

    async def run(self, context: StepContextProtocol) -> None:
        """Write the chunks that were added, delete those that were removed."""
        await _Indexing(self.config, execution(context), self.name).run()

    async def intact(self, context: StepContextProtocol) -> bool:
        """Whether the store still holds what the finished run left."""
        given = execution(context)
        state = given.artifacts.get(state_artifact(str(self.config.result_artifact)))
        store = given.get_component(self._store_key)
        name = given.physical(self.config.index)
        if not state or not await has_text_index(store, name):
            return False
        try:
            return bool(await store.count(name) == state["count"])
        except DamagedIndexError:
            return False

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """The index."""
        return index_cleanup(artifacts, "text_index", self.config.index, self._store_key)


@dataclass
class _Indexing:
    """One run of the step."""

    config: IndexFullTextConfig
    context: StepExecutionContext
    step: str

    async def run(self) -> None:
        config, context, delta = self.config, self.context, self.context.delta
        self.store = context.get_component(store_ref("text_index", config.text_index_store).key)
        self.index = context.physical(config.index)
        anew = await self._opened()
        keys = context.get_artifact(str(config.chunk_keys_artifact)) if anew else delta.added_chunk_keys
        if not anew and delta.removed_chunk_ids:
            await self.store.delete(self.index, sorted(delta.removed_chunk_ids))
        written = await self._write(keys)
        state = {"index": self.index, "count": await self.store.count(self.index)}
        context.set_artifact(state_artifact(str(config.result_artifact)), state)
        context.set_artifact(str(config.result_artifact), IndexFullTextResult(config.index, written))

    async def _opened(self) -> bool:
        """Make sure of the index; whether it is empty and everything has to be written."""
        there = await has_text_index(self.store, self.index)
        anew = self.context.delta.full or not there
        if anew:
            if there:
                await self.store.drop_index(self.index)
            await self.store.create_index(TextIndexConfig(self.index, self.config.stemmer))
        return anew

    async def _write(self, chunk_keys: Sequence[str]) -> int:
        config, context = self.config, self.context
        batches = Batches(records_at_once(self.store, config.batch_size), self._upsert)
        async for chunks in read_chunks(context.objects(config.object_store), chunk_keys):
            records = [TextIndexRecord(chunk.chunk_id, chunk.text, chunk_metadata(chunk)) for chunk in chunks]
            await batches.add(records)
            context.progress(self.step, batches.count, context.delta.added_chunk_count)
        return await batches.close()

    async def _upsert(self, records: Sequence[TextIndexRecord]) -> None:
        await self.store.upsert(self.index, records)
