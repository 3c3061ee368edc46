"""Vector search and full-text search: what a result, its source, a citation and a trace say."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest

pytestmark = pytest.mark.anyio


async def test_vectors_are_ranked_by_cosine_and_say_where_they_come_from(kit: Any) -> None:
    world = await kit.make_world([kit.make_chunk("lamp", kit.HARBOUR["lamp"], year=1900), kit.make_chunk("b", "Rye.")])
    response = await world.ask("vector_search", "oil for the lamp?", top_k=2, trace=True)
    best = response.results[0]
    assert (best.id, best.kind, best.text) == ("chunk_lamp", "chunk", kit.HARBOUR["lamp"])
    assert best.score == pytest.approx(2 / (sqrt(2) * sqrt(4)))  # lamp and oil of lamp, oil, harbour and keeper
    assert best.source["document_id"] == "lamp"
    assert best.source["object_key"] == "raw/lamp.txt"
    assert best.source["chunk_ids"] == ("chunk_lamp",)
    assert best.source["document_metadata"] == {"year": 1900}
    assert best.metadata["embedding_model"] == "eight-words"
    assert best.metadata["search_asset"] == "chunk_vector_index:chunks"
    assert best.metadata["source_key"] == "raw/lamp.txt"
    assert response.metadata == {
        "collection": "chunks",
        "embedding_model": "eight-words",
        "answer_generation": "disabled",
    }
    assert [(event.stage, event.metadata["result_count"]) for event in response.trace] == [("vector_search", 2)]
    assert world.recipe.models.embedding.asked[-1].trace_context == {"query_mode": "vector_search"}


async def test_words_are_ranked_by_bm25_and_say_where_they_come_from(kit: Any) -> None:
    world = await kit.make_world(kit.HARBOUR)
    response = await world.ask("full_text_search", "baking bread")
    assert [result.id for result in response.results] == ["chunk_bread"]
    assert response.results[0].source["document_id"] == "bread"
    assert response.results[0].metadata["index"] == "chunk_full_text"
    assert response.metadata["ranking"] == "bm25"
    assert response.trace == ()


async def test_citations_quote_the_results_in_their_order(kit: Any) -> None:
    world = await kit.make_world(kit.HARBOUR)
    response = await world.ask("full_text_search", "harbour")
    assert [citation.id for citation in response.citations] == ["citation_1", "citation_2"]
    assert [citation.result_id for citation in response.citations] == [result.id for result in response.results]
    assert response.citations[0].text == response.results[0].text
    assert response.citations[0].metadata == {"result_kind": "chunk"}


@pytest.mark.parametrize("mode", ["vector_search", "full_text_search", "hybrid_search", "heta_rerank_search"])
@pytest.mark.parametrize("name", ["document_id", "source_name", "object_name"])
async def test_filters_compare_the_metadata_of_records(kit: Any, mode: str, name: str) -> None:
    world = await kit.make_world(kit.HARBOUR)
    wanted = "ferry" if name == "document_id" else "ferry.txt"
    response = await world.ask(mode, "harbour lamp", filters={name: wanted})
    assert [result.id for result in response.results] == ["chunk_ferry"]


@pytest.mark.parametrize("mode", ["vector_search", "full_text_search", "hybrid_search"])
async def test_filters_compare_the_metadata_that_the_caller_gave(kit: Any, mode: str) -> None:
    chunks = [kit.make_chunk(f"d{year}", "The harbour lamp.", year=year, tags=["a"]) for year in (1890, 1925)]
    world = await kit.make_world(chunks)
    response = await world.ask(mode, "harbour lamp", filters={"document_metadata.year": 1925})
    assert [result.id for result in response.results] == ["chunk_d1925"]
    assert response.results[0].source["document_metadata"] == {"year": 1925, "tags": ["a"]}
    assert [name for name in response.results[0].metadata if name.startswith("document_metadata")] == []
    listed = await world.ask(mode, "harbour lamp", filters={"document_metadata.tags": ["a"]})
    assert len(listed.results) == 2


@pytest.mark.parametrize(
    ("name", "hint"),
    [("source_keys", "did you mean 'source_key'"), ("year", "metadata of your own: 'document_metadata.year'")],
)
async def test_a_filter_that_could_never_match_is_refused(kit: Any, name: str, hint: str) -> None:
    world = await kit.make_world(kit.HARBOUR)
    for mode in ("vector_search", "full_text_search", "hybrid_search", "heta_multihop_search"):
        with pytest.raises(ValueError, match=hint):
            await world.ask(mode, "harbour lamp", filters={name: "x"})


async def test_a_question_without_a_vector_finds_nothing_and_says_so(kit: Any) -> None:
    world = await kit.make_world(kit.HARBOUR)
    response = await world.ask("vector_search", "?!", options={"generate_answer": True})
    assert response.results == ()
    assert [issue["code"] for issue in response.metadata["issues"]] == ["question_without_embedding"]
    fused = await world.ask("hybrid_search", "fills")
    assert [result.id for result in fused.results] == ["chunk_lamp"]
    assert [(issue["mode"], issue["code"]) for issue in fused.metadata["issues"]] == [
        ("vector_search", "question_without_embedding")
    ]


async def test_equal_scores_are_in_the_order_of_ids(kit: Any) -> None:
    world = await kit.make_world(dict.fromkeys("cadb", "rye"))
    for mode in ("vector_search", "full_text_search", "hybrid_search"):
        response = await world.ask(mode, "rye")
        assert [result.id for result in response.results] == ["chunk_a", "chunk_b", "chunk_c", "chunk_d"]
