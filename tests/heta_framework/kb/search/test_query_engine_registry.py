"""Engines by mode: registering, finding, what is available, and a caller's own engine."""

from __future__ import annotations

from typing import Any

import pytest

from heta_framework.kb.components import KnowledgeModels, model_ref
from heta_framework.kb.recipe import KnowledgeRecipe
from heta_framework.kb.search import QueryContext, QueryEngineRegistry, QueryRequest, QueryResponse
from heta_framework.kb.search.assets import SearchAsset, SearchAssetCollection, SearchAssetRef

pytestmark = pytest.mark.anyio
_VECTORS = SearchAsset("chunk_vector_index", "chunks")
_WORDS = SearchAsset("chunk_full_text_index", "chunk_full_text")
_GRAPH = (SearchAsset("graph_tables", "entities"), SearchAsset("graph_vector_index", "graph_entities"))
_COMBINED = {"hybrid_search", "heta_rerank_search", "heta_rewrite_search", "heta_multihop_search"}
_EMBEDDING = KnowledgeRecipe(KnowledgeModels(embedding=object()))


class Echo:
    """Asks another mode, or nobody."""

    required_assets = frozenset({SearchAssetRef("chunk_full_text_index")})

    def __init__(self, mode: Any = "echo", asks: str | None = None, **more: Any) -> None:
        self.mode = mode
        self.asks = asks
        vars(self).update(more)

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        """What the other mode says under this one's name."""
        if self.asks is None:
            return QueryResponse(self.mode, metadata={"asked": request.mode, "stack": context.call_stack})
        return await context.query(self.asks, request)


def test_defaults_hold_every_built_in_mode() -> None:
    assert QueryEngineRegistry.defaults().modes == _COMBINED | {
        "vector_search",
        "full_text_search",
        "sql_text_search",
        "heta_graph_search",
        "ppr_search",
    }


def test_a_mode_is_taken_once_unless_replaced() -> None:
    registry, other = QueryEngineRegistry([Echo()]), Echo()
    with pytest.raises(ValueError, match="query engine already registered for mode: echo"):
        registry.register(other)
    assert registry.register(other, replace=True) is registry
    assert registry.get("echo") is other


@pytest.mark.parametrize(
    ("engine", "error"), [(object(), TypeError), (Echo(mode=" "), ValueError), (Echo(mode=5), TypeError)]
)
def test_what_is_no_engine_is_refused(engine: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="engine"):
        QueryEngineRegistry([engine])


def test_an_unknown_mode_is_answered_with_the_nearest() -> None:
    registry = QueryEngineRegistry.defaults()
    assert registry.find("vectors") is None
    with pytest.raises(LookupError, match=r"query engine is not registered: vector-serch \(did you mean vector_search"):
        registry.get("vector-serch")
    with pytest.raises(ValueError, match="mode must not be empty"):
        registry.get(" ")


@pytest.mark.parametrize(
    ("assets", "expected"),
    [
        ((), set()),
        ((_VECTORS,), {"vector_search"}),
        ((_WORDS,), {"full_text_search"}),
        ((_VECTORS, _WORDS), {"vector_search", "full_text_search"} | _COMBINED),
        ((_VECTORS, *_GRAPH), {"vector_search", "heta_graph_search", "ppr_search"} | _COMBINED),
    ],
)
def test_combined_modes_need_two_of_the_three_that_search(assets: Any, expected: set[str]) -> None:
    registry = QueryEngineRegistry.defaults()
    assert registry.available_modes_for(_EMBEDDING, SearchAssetCollection(assets)) == expected


def test_a_mode_whose_model_is_missing_is_not_available() -> None:
    registry, assets = QueryEngineRegistry.defaults(), SearchAssetCollection([_VECTORS, _WORDS])
    assert registry.available_modes_for(KnowledgeRecipe(), assets) == {"full_text_search"}
    assert "vector_search" in registry.available_modes(assets)
    with pytest.raises(LookupError, match=r"vector_search requires missing component\(s\): models.embedding"):
        registry.require("vector_search", KnowledgeRecipe(), assets)


def test_what_is_missing_is_named() -> None:
    registry, assets = QueryEngineRegistry.defaults(), SearchAssetCollection([_WORDS])
    with pytest.raises(LookupError, match=r"vector_search requires missing search asset\(s\): chunk_vector_index"):
        registry.require("vector_search", _EMBEDDING, assets)
    with pytest.raises(LookupError, match=r"hybrid_search requires at least 2 .* available: full_text_search$"):
        registry.require("hybrid_search", _EMBEDDING, assets)


def test_an_engine_may_decide_and_hide_itself() -> None:
    registry = QueryEngineRegistry(
        [
            Echo("hidden", discoverable=False),
            Echo("never", is_available=lambda recipe, assets: False),
            Echo("nor_this", is_available_for=lambda recipe: False),
            Echo("needs", required_components=(model_ref("language"),)),
            Echo("shown"),
        ]
    )
    assets = SearchAssetCollection([_WORDS])
    assert registry.available_modes_for(KnowledgeRecipe(), assets) == {"shown"}
    assert registry.require("hidden", KnowledgeRecipe(), assets).mode == "hidden"
    with pytest.raises(LookupError, match="never is not available with this recipe"):
        registry.require("never", KnowledgeRecipe(), assets)


def test_modes_that_rest_on_each_other_alone_are_not_available() -> None:
    one, other = Echo("one", base_modes=("other",)), Echo("other", base_modes=("one",))
    registry = QueryEngineRegistry([one, other])
    assert registry.available_modes_for(KnowledgeRecipe(), SearchAssetCollection([_WORDS])) == frozenset()


async def test_an_engine_of_the_callers_own_answers_beside_the_built_in_ones(kit: Any) -> None:
    world = await kit.make_world(kit.HARBOUR)
    world.engines.register(Echo())
    assert world.modes >= {"echo", "vector_search"}
    response = await world.ask("echo", "anything")
    assert response.metadata == {"asked": "echo", "stack": ("echo",)}


async def test_an_engine_that_would_ask_itself_without_end_is_stopped(kit: Any) -> None:
    world = await kit.make_world(kit.HARBOUR)
    world.engines.register(Echo("a", asks="b")).register(Echo("b", asks="a"))
    with pytest.raises(RuntimeError, match="recursive query engine call detected: a -> b -> a"):
        await world.ask("a", "anything")
