"""``vector_search``: the chunks whose vectors are nearest to the question's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from heta_framework.kb.components import ComponentRef, model_ref
from heta_framework.kb.search.assets import SearchAsset, SearchAssetRef
from heta_framework.kb.search.base_modes import VECTOR
from heta_framework.kb.search.chunk_results import chunk_result
from heta_framework.kb.search.context import QueryContext
from heta_framework.kb.search.query_vectors import no_vector_issue, question_vector
from heta_framework.kb.search.record_filters import record_filters
from heta_framework.kb.search.responding import respond
from heta_framework.kb.search.types import QueryRequest, QueryResponse, QueryResult, QueryTraceEvent

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from heta_framework.common.stores.vector.types import VectorSearchResult

_COLLECTION = SearchAssetRef("chunk_vector_index")


@dataclass(frozen=True)
class VectorSearchEngine:
    """Nearest neighbours in a vector collection, scored by its metric (cosine unless built otherwise).

    Attributes:
        embedding_model, language_model: names of the recipe's models; None for its own.
    """

    mode: str = VECTOR
    asset_ref: SearchAssetRef = _COLLECTION
    embedding_model: str | None = None
    language_model: str | None = None

    @property
    def required_assets(self) -> frozenset[SearchAssetRef]:
        """The collection."""
        return frozenset({self.asset_ref})

    @property
    def required_components(self) -> frozenset[ComponentRef]:
        """The model that embeds the question: the one that embedded the chunks."""
        return frozenset({model_ref("embedding", self.embedding_model)})

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        """Embed the question and search; a question without a vector finds nothing and says so."""
        asset = context.assets.require(self.asset_ref)
        model = context.component(model_ref("embedding", self.embedding_model))
        vector = await question_vector(model, request.text, self.mode)
        hits = [] if vector is None else await _hits(request, context, asset, vector)
        results = [_result(hit, asset, model.model_name) for hit in hits if hit.text and hit.text.strip()]
        event = QueryTraceEvent(
            self.mode,
            f"Searched the vectors of {asset.name}.",
            {"collection": asset.name, "top_k": request.top_k, "result_count": len(results)},
        )
        return await respond(
            request,
            context,
            mode=self.mode,
            results=results,
            metadata={"collection": asset.name, "embedding_model": model.model_name},
            trace=(event,),
            issues=() if vector is not None else (no_vector_issue(model),),
            language_model=self.language_model,
        )


async def _hits(
    request: QueryRequest, context: QueryContext, asset: SearchAsset, vector: npt.NDArray[np.float32]
) -> list[VectorSearchResult]:
    from heta_framework.common.stores.vector.types import VectorQuery

    store = context.store("vector", asset)
    query = VectorQuery(vector, request.top_k, record_filters(request.filters))
    found: list[VectorSearchResult] = await store.search(context.physical(asset.name), query)
    return found


def _result(hit: VectorSearchResult, asset: SearchAsset, model_name: str) -> QueryResult:
    found = {"embedding_model": model_name, "collection": asset.name, "search_asset": asset.key}
    return chunk_result(hit.id, hit.text or "", hit.score, hit.metadata or {}, found)
