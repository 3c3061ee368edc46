"""``full_text_search``: the chunks that share the question's words, by BM25."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from heta_framework.kb.search.assets import SearchAsset, SearchAssetRef
from heta_framework.kb.search.base_modes import FULL_TEXT
from heta_framework.kb.search.chunk_results import chunk_result
from heta_framework.kb.search.context import QueryContext
from heta_framework.kb.search.record_filters import record_filters
from heta_framework.kb.search.types import QueryRequest, QueryResponse, QueryResult
from heta_framework.kb.search.word_search import respond_with_words

if TYPE_CHECKING:
    from heta_framework.common.stores.text_index.types import TextSearchResult

_INDEX = SearchAssetRef("chunk_full_text_index")
_RANKING = "bm25"


@dataclass(frozen=True)
class FullTextSearchEngine:
    """The ranking of a text index; nothing in a question is syntax to it.

    Attributes:
        language_model: the name of the model that answers; None for the recipe's own.
    """

    mode: str = FULL_TEXT
    asset_ref: SearchAssetRef = _INDEX
    language_model: str | None = None

    @property
    def required_assets(self) -> frozenset[SearchAssetRef]:
        """The index."""
        return frozenset({self.asset_ref})

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        """Search the index."""
        asset = context.assets.require(self.asset_ref)
        hits = await _hits(request, context, asset)
        results = [self._result(hit, asset) for hit in hits if hit.text.strip()]
        found = {"index": asset.name, "ranking": _RANKING}
        return await respond_with_words(self, request, context, asset, results, found)

    def _result(self, hit: TextSearchResult, asset: SearchAsset) -> QueryResult:
        found = {
            "ranking": _RANKING,
            "retrieval_method": self.mode,
            "search_asset": asset.key,
            "index": asset.name,
        }
        return chunk_result(hit.id, hit.text, hit.score, hit.metadata or {}, found)


async def _hits(request: QueryRequest, context: QueryContext, asset: SearchAsset) -> list[TextSearchResult]:
    from heta_framework.common.stores.text_index.types import TextQuery

    store = context.store("text_index", asset)
    query = TextQuery(request.text, request.top_k, record_filters(request.filters))
    found: list[TextSearchResult] = await store.search(context.physical(asset.name), query)
    return found
