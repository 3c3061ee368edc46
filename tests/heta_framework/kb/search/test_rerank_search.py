"""Rerank search: which candidates a recipe gives, a reranker's order, and rerankers that fail."""

from __future__ import annotations

from math import nan
from typing import Any

import pytest

from heta_framework.common.models import EmbeddingReranker, RerankItem
from heta_framework.common.models.errors import CostLimitReached

pytestmark = pytest.mark.anyio
_QUESTION = "harbour lamp"


@pytest.mark.parametrize(
    ("parts", "graph", "expected"),
    [
        (["vector", "full_text"], False, ("vector_search", "full_text_search")),
        (["vector", "full_text"], True, ("hybrid_search", "full_text_search")),
        (["vector"], True, ("hybrid_search",)),
        (["full_text"], True, ("heta_graph_search", "full_text_search")),
    ],
)
async def test_every_base_mode_is_a_candidate_once(kit: Any, parts: Any, graph: bool, expected: Any) -> None:
    world = await kit.make_world(kit.HARBOUR, parts=parts, graph=kit.graph_of(kit.fact(1)) if graph else None)
    response = await world.ask("heta_rerank_search", _QUESTION, trace=True)
    assert response.metadata["candidate_modes"] == expected
    asked = [event.stage for event in response.trace]
    assert asked.count("full_text_search") == parts.count("full_text")
    assert asked[-1] == "heta_rerank_search"


async def test_without_a_reranker_the_fused_order_stays(kit: Any) -> None:
    world = await kit.make_world(kit.HARBOUR)
    response = await world.ask("heta_rerank_search", _QUESTION, top_k=1)
    assert [result.id for result in response.results] == ["chunk_lamp"]
    assert response.results[0].score == pytest.approx(2 / 61)
    assert response.results[0].metadata["rrf_score"] == response.results[0].score
    assert response.metadata == {
        "candidate_modes": ("vector_search", "full_text_search"),
        "candidate_count": 3,
        "used_reranker": False,
        "reranker_model": None,
        "answer_generation": "disabled",
    }


async def test_a_reranker_decides_on_the_order(kit: Any) -> None:
    reranker = kit.reranker(lambda request: {0: 0.25, 1: 0.75})
    world = await kit.make_world(kit.HARBOUR, reranker=reranker)
    response = await world.ask("heta_rerank_search", _QUESTION, top_k=2)
    assert [(result.id, result.score) for result in response.results] == [("chunk_ferry", 0.75), ("chunk_lamp", 0.25)]
    best = response.results[0].metadata
    assert (best["rerank_score"], best["reranker_model"]) == (0.75, "scores-given")
    assert best["pre_rerank_score"] == pytest.approx(2 / 62)
    assert (response.metadata["used_reranker"], response.metadata["reranker_model"]) == (True, "scores-given")
    request = reranker.asked[0]
    assert (request.query, request.options.top_n) == (_QUESTION, 2)
    assert request.trace_context == {"query_mode": "heta_rerank_search"}


async def test_an_embedding_can_rerank(kit: Any) -> None:
    world = await kit.make_world(kit.HARBOUR)
    world.recipe.models.__dict__["reranker"] = EmbeddingReranker(world.recipe.models.embedding)
    response = await world.ask("heta_rerank_search", "captain harbour", top_k=2)
    assert [result.id for result in response.results] == ["chunk_ferry", "chunk_lamp"]
    assert response.metadata["reranker_model"] == "cosine:eight-words"


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {7: 1.0},
        {-1: 1.0},
        {0: nan},
        [RerankItem(0, 1.0), RerankItem(0, 0.5)],
        [RerankItem(True, 1.0)],
        [RerankItem(0, "best")],
        ["not an item"],
        TimeoutError("too slow"),
    ],
    ids=str,
)
async def test_a_reranker_that_fails_costs_its_order_and_nothing_else(kit: Any, reply: Any) -> None:
    def answer(request: Any) -> Any:
        if isinstance(reply, Exception):
            raise reply
        return reply

    world = await kit.make_world(kit.HARBOUR, reranker=kit.reranker(answer))
    response = await world.ask("heta_rerank_search", _QUESTION)
    assert [result.id for result in response.results] == ["chunk_lamp", "chunk_ferry", "chunk_bread"]
    assert response.metadata["used_reranker"] is False
    assert [issue["code"] for issue in response.metadata["issues"]] == ["rerank_failed"]


async def test_a_spent_budget_is_not_a_failure_to_be_passed_over(kit: Any) -> None:
    def spent(request: Any) -> Any:
        raise CostLimitReached("spent")

    world = await kit.make_world(kit.HARBOUR, reranker=kit.reranker(spent))
    with pytest.raises(CostLimitReached):
        await world.ask("heta_rerank_search", _QUESTION)
