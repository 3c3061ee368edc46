"""The step that writes chunks into a SQL table where ``sql_text_search`` finds them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from heta_framework.common.stores.fields import required_text
from heta_framework.kb.chunk_tables.opening import SQLDialect, checked_dialect, open_chunk_table, possible_tables
from heta_framework.kb.chunk_tables.table import ChunkTable, checked_table_name
from heta_framework.kb.chunks import Chunk
from heta_framework.kb.components import store_ref
from heta_framework.kb.context import StepExecutionContext, execution
from heta_framework.kb.derived.chunk_packs import read_chunks
from heta_framework.kb.namespace import physical_name
from heta_framework.kb.search.assets import SearchAsset
from heta_framework.kb.search.context import NAMESPACE_ARTIFACT
from heta_framework.kb.steps.cleanup import CleanupTarget, StepCleanupPlan
from heta_framework.kb.steps.protocol import StepCapabilities, StepContextProtocol, StepRequirements

_RESULT = "persist_chunks_result"
_TABLES = "persisted_chunk_tables"
_BATCH = 500
_FIELDS = {
    "id_field": "chunk_id",
    "text_field": "content_text",
    "document_id_field": "document_id",
    "source_id_field": "source_id",
    "source_chunk_field": "source_chunk",
    "metadata_field": "metadata_json",
}


@dataclass(frozen=True)
class ChunkTableNames:
    """What the table is called; a knowledge base appends its own namespace.

    Raises:
        ValueError: the name is not made of ASCII letters, digits and ``_`` alone.
    """

    chunks: str = "chunks"

    def __post_init__(self) -> None:
        checked_table_name(required_text("table_names.chunks", self.chunks))


@dataclass(frozen=True)
class PersistChunksConfig:
    """Where chunks come from and where they go.

    Attributes:
        dialect: what to take a SQL store for that does not say which dialect it speaks.
        object_store, sql_store: names of the recipe's stores; None for its own.
        chunk_keys_artifact: the artifact with the keys of the chunk packs.
    """

    table_names: ChunkTableNames = field(default_factory=ChunkTableNames)
    dialect: SQLDialect = "generic"
    object_store: str | None = None
    sql_store: str | None = None
    chunk_keys_artifact: str = "chunk_keys"

    def __post_init__(self) -> None:
        checked_dialect(self.dialect)


@dataclass(frozen=True)
class PersistChunksResult:
    """What the table holds."""

    table: str
    chunk_count: int


class PersistChunks:
    """Fills one table, with an index of words beside it; see `heta_framework.kb.chunk_tables`."""

    name: ClassVar[str] = "persist_chunks"

    def __init__(self, config: PersistChunksConfig | None = None) -> None:
        self.config = config or PersistChunksConfig()

    @property
    def requirements(self) -> StepRequirements:
        """Chunks, the object store that holds them, and a SQL store."""
        components = {store_ref("objects", self.config.object_store), store_ref("sql", self.config.sql_store)}
        return StepRequirements(frozenset(components), frozenset({self.config.chunk_keys_artifact}))

    @property
    def capabilities(self) -> StepCapabilities:
        """The mode ``sql_text_search``."""
        metadata = {"table": self._logical, "dialect": self.config.dialect, **_FIELDS}
        asset = SearchAsset("chunk_text_index", self._logical, self._store_key, metadata)
        return StepCapabilities(frozenset({_RESULT, _TABLES}), frozenset({"sql_text_search"}), (asset,))

    async def run(self, context: StepContextProtocol) -> None:
        """Build the table, or add and remove what an update says."""
        run = execution(context)
        table = self._table(run)
        anew = run.delta.full or not await table.exists()
        if anew:
            await table.drop()
            await table.create()
        else:
            await table.delete(run.delta.removed_chunk_ids)
        keys = run.get_artifact(self.config.chunk_keys_artifact) if anew else run.delta.added_chunk_keys
        written = 0
        async for batch in self._batches(run, keys):
            await table.upsert(batch)
            written += len(batch)
            run.progress(self.name, written, run.delta.added_chunk_count)
        await table.settle()
        run.set_artifact(_TABLES, {"tables": list(table.tables), "chunk_count": await table.count()})
        run.set_artifact(_RESULT, PersistChunksResult(self._logical, run.get_artifact(_TABLES)["chunk_count"]))

    async def intact(self, context: StepContextProtocol) -> bool:
        """Whether the table still holds as many chunks as the finished run left."""
        run = execution(context)
        expected = run.artifacts.get(_TABLES)
        if not isinstance(expected, Mapping):
            return False
        table = self._table(run)
        return await table.exists() and await table.count() == int(expected["chunk_count"])

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """The table and what stands beside it; of a run that was cut short, whatever may be there."""
        made, namespace = artifacts.get(_TABLES), artifacts.get(NAMESPACE_ARTIFACT)
        if isinstance(made, Mapping):
            tables = tuple(made["tables"])
        else:
            tables = possible_tables(physical_name(self._logical, str(namespace))) if namespace else ()
        return StepCleanupPlan(tuple(CleanupTarget("sql_table", name, self._store_key) for name in tables))

    @property
    def _logical(self) -> str:
        return self.config.table_names.chunks

    @property
    def _store_key(self) -> str:
        return store_ref("sql", self.config.sql_store).key

    def _table(self, run: StepExecutionContext) -> ChunkTable:
        store = run.get_component(self._store_key)
        return open_chunk_table(store, run.physical(self._logical), self.config.dialect)

    async def _batches(self, run: StepExecutionContext, keys: Iterable[str]) -> AsyncIterator[list[Chunk]]:
        async for chunks in read_chunks(run.objects(self.config.object_store), keys):
            for start in range(0, len(chunks), _BATCH):
                yield chunks[start : start + _BATCH]
