"""Asking: which modes there are, what is chosen when none is named, and what is said when one cannot answer."""

from pathlib import Path
from typing import Any

import pytest
from tiny_recipes import QUESTION, SharedStores

from heta_framework.kb import (
    KnowledgeBase,
    KnowledgeModels,
    KnowledgeRecipe,
    QueryEngineRegistry,
    QueryRequest,
    QueryResponse,
    SearchAssetRef,
)

pytestmark = pytest.mark.anyio


class Echo:
    """An engine of one's own that answers with what it was asked."""

    required_assets: tuple[SearchAssetRef, ...] = ()

    def __init__(self, mode: str = "echo", asks: str | None = None) -> None:
        self.mode = mode
        self._asks = asks
        self.heard: list[QueryRequest] = []

    async def query(self, request: QueryRequest, context: Any) -> QueryResponse:
        self.heard.append(request)
        if self._asks:
            return await context.query(self._asks, request)
        return QueryResponse(self.mode, answer=request.text)


@pytest.fixture
async def kb(tmp_path: Path) -> KnowledgeBase:
    stores = SharedStores(tmp_path)
    await stores.put()
    return await KnowledgeBase.create(recipe=stores.recipe(), name="house")


def with_engines(kb: KnowledgeBase, *engines: Any) -> KnowledgeBase:
    return KnowledgeBase.restore(
        manifest=kb.manifest(), recipe=kb.recipe, query_engines=QueryEngineRegistry(list(engines))
    )


async def test_the_only_mode_needs_no_name(kb: KnowledgeBase) -> None:
    echo = Echo()
    answer = await with_engines(kb, echo).query("hello", top_k=3, filters={"a": 1}, options={"b": 2}, trace=True)
    assert answer.answer == "hello"
    heard = echo.heard[0]
    assert (heard.mode, heard.top_k, heard.filters, heard.options, heard.trace) == ("echo", 3, {"a": 1}, {"b": 2}, True)


async def test_a_whole_request_may_be_given(kb: KnowledgeBase) -> None:
    request = QueryRequest(QUESTION, mode="vector_search", top_k=1)
    assert len((await kb.query(request, mode="full_text_search", top_k=9)).results) == 1
    assert (await kb.query(request, mode="full_text_search")).mode == "vector_search"
    assert (await kb.query(QueryRequest(QUESTION), mode="full_text_search")).mode == "full_text_search"


async def test_with_several_modes_one_must_be_named(kb: KnowledgeBase) -> None:
    for asked in (kb, with_engines(kb)):
        with pytest.raises(ValueError, match="query mode is required when zero or multiple query modes are available"):
            await asked.query("hello")


async def test_a_mode_that_does_not_exist_or_lacks_something_is_named(kb: KnowledgeBase) -> None:
    with pytest.raises(LookupError, match="query engine is not registered: nonsense"):
        await kb.query("hello", mode="nonsense")
    with pytest.raises(LookupError, match=r"sql_text_search requires missing search asset\(s\): chunk_text_index"):
        await kb.query("hello", mode="sql_text_search")
    deaf = KnowledgeRecipe(models=KnowledgeModels(), stores=kb.recipe.stores, steps=kb.recipe.steps)
    without_model = KnowledgeBase.restore(manifest=kb.manifest(), recipe=deaf)
    with pytest.raises(LookupError, match=r"vector_search requires missing component\(s\): models.embedding"):
        await without_model.query("hello", mode="vector_search")
    assert "vector_search" not in without_model.available_queries
    assert "vector_search" in kb.available_queries


async def test_engines_that_ask_each_other_without_end_are_stopped(kb: KnowledgeBase) -> None:
    asked = with_engines(kb, Echo("a", asks="b"), Echo("b", asks="a"))
    with pytest.raises(RuntimeError, match="recursive query engine call detected: a -> b -> a"):
        await asked.query("hello", mode="a")


async def test_blank_questions_are_refused(kb: KnowledgeBase) -> None:
    with pytest.raises(ValueError, match="text must not be empty"):
        await kb.query("  ", mode="vector_search")


async def test_search_assets_are_those_of_the_steps_that_are_done(kb: KnowledgeBase) -> None:
    assert kb.search_assets.contains(SearchAssetRef("chunk_vector_index", "chunks"))
    assert {asset.kind for asset in kb.search_assets.assets} == {"chunk_vector_index", "chunk_full_text_index"}


async def test_engines_may_be_given_at_creation_and_at_loading(tmp_path: Path) -> None:
    stores = SharedStores(tmp_path)
    registry = QueryEngineRegistry([Echo()])
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="mine", query_engines=registry)
    assert kb.available_queries == {"echo"}
    assert (
        await KnowledgeBase.load(recipe=stores.recipe(), name="mine", query_engines=registry)
    ).query_engines is registry
