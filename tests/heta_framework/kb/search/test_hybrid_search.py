"""Hybrid search: reciprocal rank fusion of what a recipe provides, checked against numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from heta_framework.kb.search import QueryContext, QueryRequest, QueryResponse, QueryResult
from heta_framework.kb.search.fusing import Ranking, best_first, fuse

pytestmark = pytest.mark.anyio


def _chunk(name: str, score: float) -> QueryResult:
    return QueryResult(name, f"text of {name}", score)


def test_fusion_adds_weighted_reciprocal_ranks() -> None:
    one = Ranking("one", [_chunk("a", 9), _chunk("b", 8)], weight=2)
    other = Ranking("other", [_chunk("b", 0.5), _chunk("c", 0.4)])
    fused = fuse([one, other], k=60, top_k=2, score_name="s")
    assert [result.id for result in fused] == ["b", "a"]
    assert fused[0].score == pytest.approx(2 / 62 + 1 / 61)
    assert fused[1].score == pytest.approx(2 / 61)
    assert fused[0].metadata == {"s": fused[0].score, "retrieval_modes": ("one", "other")}


def test_fusion_keeps_the_copy_with_the_best_score_and_tells_kinds_apart() -> None:
    low, high = QueryResult("a", "low", 0.1), QueryResult("a", "high", 7.0)
    entity = QueryResult("a", "an entity", 0.2, kind="entity")
    fused = fuse([Ranking("one", [low]), Ranking("other", [high, entity])], k=0, top_k=9, score_name="s")
    assert [(result.kind, result.text, result.score) for result in fused] == [
        ("chunk", "high", 2.0),
        ("entity", "an entity", 0.5),
    ]


def test_the_order_of_rankings_does_not_decide_between_equal_scores() -> None:
    rankings = [Ranking("one", [_chunk("b", 1)]), Ranking("other", [_chunk("a", 1)])]
    for given in (rankings, rankings[::-1]):
        assert [result.id for result in fuse(given, k=60, top_k=2, score_name="s")] == ["a", "b"]


def test_best_first_keeps_one_of_each_and_puts_unscored_last() -> None:
    given = [QueryResult("x", "t"), _chunk("a", 1), _chunk("b", 2), _chunk("a", 3)]
    assert [(result.id, result.score) for result in best_first(given)] == [("a", 3), ("b", 2), ("x", None)]


async def test_vectors_and_a_graph_alone_are_the_published_pair(kit: Any) -> None:
    world = await kit.make_world(kit.HARBOUR, parts=["vector"], graph=kit.graph_of(kit.fact(1), kit.fact(2)))
    response = await world.ask("hybrid_search", "harbour lamp", top_k=3, trace=True)
    assert [(result.kind, result.id) for result in response.results] == [
        ("chunk", "chunk_lamp"),
        ("entity", "entity_1"),
        ("chunk", "chunk_ferry"),
    ]
    assert [result.score for result in response.results] == pytest.approx([1 / 61, 1 / 61, 1 / 62])
    assert response.results[0].metadata["hybrid_score"] == response.results[0].score
    assert response.results[0].metadata["fusion"] == "weighted_rrf"
    assert response.results[1].metadata["retrieval_modes"] == ("heta_graph_search",)
    assert response.metadata == {
        "candidate_modes": ("vector_search", "heta_graph_search"),
        "candidate_top_k": 9,
        "weights": {"vector_search": 1.0, "heta_graph_search": 1.0},
        "fusion": "weighted_rrf",
        "answer_generation": "disabled",
    }
    assert [event.stage for event in response.trace] == ["vector_search", "hybrid_search"]


async def test_whichever_modes_are_there_are_fused(kit: Any) -> None:
    two = await kit.make_world(kit.HARBOUR)
    response = await two.ask("hybrid_search", "harbour lamp")
    assert response.metadata["candidate_modes"] == ("vector_search", "full_text_search")
    assert response.results[0].score == pytest.approx(2 / 61)
    three = await kit.make_world(kit.HARBOUR, graph=kit.graph_of(kit.fact(1)))
    response = await three.ask("hybrid_search", "harbour lamp")
    assert response.metadata["candidate_modes"] == ("vector_search", "full_text_search", "heta_graph_search")
    assert {result.kind for result in response.results} == {"chunk", "entity"}


async def test_options_change_the_candidates_the_constant_and_the_weights(kit: Any) -> None:
    graph = kit.graph_of(*(kit.fact(number) for number in range(9)))
    world = await kit.make_world(kit.HARBOUR, graph=graph)
    options = {
        "candidate_top_k": 2,
        "rrf_k": 9,
        "hybrid_weights": {"heta_graph_search": 3},
        "hybrid_modes": ["full_text_search", "heta_graph_search"],
    }
    response = await world.ask("hybrid_search", "harbour", options=options)
    assert [result.id for result in response.results[:2]] == ["entity_0", "entity_1"]
    assert response.results[0].score == pytest.approx(3 / 10)
    assert response.results[2].score == pytest.approx(1 / 10)
    assert len(response.results) == 4
    assert response.metadata["weights"] == {"full_text_search": 1.0, "heta_graph_search": 3.0}
    assert graph.asked[0].top_k == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hybrid_weights": {"vektor_search": 1}}, "unknown mode 'vektor_search'; did you mean vector_search"),
        ({"hybrid_weights": {"vector_search": 0}}, "weight of vector_search must be a number above 0, found 0"),
        ({"hybrid_weights": {"vector_search": float("nan")}}, "must be a number above 0, found nan"),
        ({"hybrid_weights": [1]}, "must map modes to weights"),
        ({"candidate_top_k": 0}, "candidate_top_k must be a whole number of at least 1, found 0"),
        ({"rrf_k": "60"}, "rrf_k must be a whole number of at least 0, found '60'"),
        ({"hybrid_modes": ["vector_search"]}, "fuses at least 2 modes; of vector_search available: vector_search"),
        ({"hybrid_modes": "vector_search"}, "must be a list of modes"),
        ({"hybrid_modes": ["sql_text_search", "vector_search"]}, "unknown mode 'sql_text_search'"),
    ],
)
async def test_wrong_options_are_refused_with_what_is_allowed(kit: Any, options: Any, message: str) -> None:
    world = await kit.make_world(kit.HARBOUR)
    with pytest.raises(ValueError, match=message):
        await world.ask("hybrid_search", "harbour", options=options)


async def test_no_result_is_lost_to_the_limit_of_candidates(kit: Any) -> None:
    world = await kit.make_world({f"d{number:03}": "rye" for number in range(70)})
    response = await world.ask("hybrid_search", "rye", top_k=70)
    assert len(response.results) == 70


class _Meeting:
    """An engine that answers when another is being asked too."""

    required_assets = ()

    def __init__(self, mode: str, here: anyio.Event, there: anyio.Event) -> None:
        self.mode, self.here, self.there = mode, here, there

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        """Wait for the other."""
        self.here.set()
        with anyio.fail_after(5):
            await self.there.wait()
        return QueryResponse(self.mode)


async def test_candidates_are_asked_concurrently(kit: Any) -> None:
    world = await kit.make_world(kit.HARBOUR, graph=kit.graph_of())
    one, other = anyio.Event(), anyio.Event()
    for mode, here, there in (("vector_search", one, other), ("heta_graph_search", other, one)):
        world.engines.register(_Meeting(mode, here, there), replace=True)
    assert (await world.ask("hybrid_search", "harbour")).results


async def test_a_mode_that_fails_fails_the_query(kit: Any) -> None:
    world = await kit.make_world(kit.HARBOUR)

    async def fail(request: Any) -> Any:
        raise ConnectionError("no embedding")

    world.recipe.models.embedding.embed = fail
    with pytest.raises(ConnectionError, match="no embedding"):
        await world.ask("hybrid_search", "harbour")
