"""``sql_text_search``: the chunks that share the question's words, ranked in a SQL database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heta_framework.kb.search.assets import SearchAsset, SearchAssetRef
from heta_framework.kb.search.chunk_results import chunk_result
from heta_framework.kb.search.context import QueryContext
from heta_framework.kb.search.record_filters import record_filters
from heta_framework.kb.search.types import QueryRequest, QueryResponse, QueryResult
from heta_framework.kb.search.word_search import respond_with_words

if TYPE_CHECKING:
    from heta_framework.kb.chunk_tables.rows import FoundRow

_TABLE = SearchAssetRef("chunk_text_index")


@dataclass(frozen=True)
class SqlTextSearchEngine:
    """BM25 in the dialect of the store: FTS5 in SQLite, ``tsvector`` in PostgreSQL, LIKE elsewhere.

    Attributes:
        language_model: the name of the model that answers; None for the recipe's own.
    """

    mode: str = "sql_text_search"
    asset_ref: SearchAssetRef = _TABLE
    language_model: str | None = None

    @property
    def required_assets(self) -> frozenset[SearchAssetRef]:
        """The table."""
        return frozenset({self.asset_ref})

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        """Search the table; nothing in a question is syntax."""
        from heta_framework.kb.chunk_tables.opening import dialect_of, open_chunk_table

        asset = context.assets.require(self.asset_ref)
        store = context.store("sql", asset)
        declared = asset.metadata.get("dialect", "generic")
        found = {"table": asset.name, "dialect": dialect_of(store, declared)}
        table = open_chunk_table(store, context.physical(asset.name), declared)
        try:
            rows = await table.search(request.text, request.top_k, record_filters(request.filters))
        except Exception as error:
            if await table.exists():
                raise
            raise ValueError(f"table {table.name!r} does not exist; was the knowledge base deleted?") from error
        results = [_result(row, asset, found) for row in rows if row.text.strip()]
        return await respond_with_words(self, request, context, asset, results, found)


def _result(row: FoundRow, asset: SearchAsset, found: dict[str, Any]) -> QueryResult:
    raw_document = {
        "key": row.metadata.get("source_key"),
        "name": row.metadata.get("source_name"),
        "file_type": row.metadata.get("source_file_type"),
        "content_sha256": row.metadata.get("content_sha256"),
    }
    notes = {**found, "search_asset": asset.key, "source": raw_document}
    return chunk_result(row.chunk_id, row.text, row.score, row.metadata, notes)
