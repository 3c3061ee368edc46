"""``ppr_search``: passages over several steps of a graph, with and without vectors and models."""

import json
from pathlib import Path
from typing import Any

import pytest
from graph_world import HARBOUR, HARBOUR_READER, GraphWorld, Reader

from heta_framework.kb import (
    EmbedChunks,
    IndexVectors,
    KnowledgeBase,
)
from heta_framework.kb.procedures import HetaGraphProcedure

pytestmark = pytest.mark.anyio
MODE = "ppr_search"
FAR = {**HARBOUR, "mill": "The mill of Hesper grinds flour."}


@pytest.fixture
def world(tmp_path: Path) -> GraphWorld:
    return GraphWorld(tmp_path)


async def built(world: GraphWorld, reader: Reader | None = None, **recipe: Any) -> KnowledgeBase:
    reader = reader or Reader(**HARBOUR_READER)
    return await world.build(FAR, recipe=world.recipe(language=reader.model(), **recipe))


async def documents(kb: KnowledgeBase, question: str, **query: Any) -> list[str]:
    found = await kb.query(question, mode=MODE, **query)
    return [result.source["document_id"] for result in found.results]


async def test_a_walk_reaches_passages_that_share_no_word_with_the_question(world: GraphWorld) -> None:
    kb = await built(world)
    found = await kb.query("Ivo Brandt commands", mode=MODE, top_k=10, trace=True, options={"seed_top_k": 1})
    reached = [result.source["document_id"] for result in found.results]
    assert reached[0] == "ferry"
    assert set(reached) == {"ferry", "lamp", "bakery"}
    scores = [result.score or 0 for result in found.results]
    assert scores == sorted(scores, reverse=True)
    assert 0 < sum(scores) < 1
    assert found.results[0].text == HARBOUR["ferry"]
    assert found.results[0].kind == "chunk"
    assert found.results[0].source["chunk_ids"] == (found.results[0].id,)
    metadata = found.metadata
    assert {seed["name"] for seed in metadata["seeds"]} == {"Ivo Brandt", "Petrel"}
    assert (metadata["reasoning"], metadata["nodes"]) == ("vector", 6 + 4)
    assert metadata["edges"] >= 13
    assert metadata["iterations"] > 3
    (event,) = found.trace
    assert (event.stage, event.metadata["passages_from"], event.metadata["result_count"]) == (MODE, None, 3)


async def test_top_k_and_filters_choose_among_the_reached(world: GraphWorld) -> None:
    kb = await built(world)
    assert len(await documents(kb, "Ivo Brandt", top_k=1)) == 1
    assert await documents(kb, "Ivo Brandt", filters={"document_id": "bakery"}) == ["bakery"]
    assert await documents(kb, "Ivo Brandt", filters={"document_id": "none"}) == []


async def test_more_damping_walks_further(world: GraphWorld) -> None:
    kb = await built(world)

    async def share_of_the_bakery(damping: float) -> float:
        found = await kb.query("Ivo Brandt", mode=MODE, options={"damping": damping, "seed_top_k": 1})
        return {one.source["document_id"]: one.score or 0.0 for one in found.results}.get("bakery", 0.0)

    assert await share_of_the_bakery(0.0) == 0
    assert 0 < await share_of_the_bakery(0.3) < await share_of_the_bakery(0.8)


async def test_passages_that_resemble_the_question_are_seeds_too(world: GraphWorld) -> None:
    kb = await built(world, steps=(EmbedChunks(), IndexVectors(), HetaGraphProcedure()))
    found = await kb.query("rye bread", mode=MODE, trace=True)
    assert found.trace[0].metadata["passages_from"] == "vector_search"
    assert found.trace[0].metadata["passage_seed_count"] > 0
    assert found.results[0].source["document_id"] == "bakery"
    without = await kb.query("rye bread", mode=MODE, trace=True, options={"passage_weight": 0})
    assert without.trace[0].metadata["passage_seed_count"] == 0
    only = await kb.query("rye bread", mode=MODE, trace=True, options={"passage_modes": ["full_text_search"]})
    assert only.trace[0].metadata["passages_from"] is None


async def test_without_vectors_walks_begin_at_names(world: GraphWorld) -> None:
    world.embedding = None
    kb = await built(world)
    found = await kb.query("Who is Ivo Brandt?", mode=MODE)
    assert found.metadata["reasoning"] == "lexical"
    assert found.results[0].source["document_id"] == "ferry"
    assert {one.source["document_id"] for one in found.results} == {"ferry", "lamp", "bakery"}
    nothing = await kb.query("what is it?", mode=MODE)
    assert nothing.results == ()
    assert [one["code"] for one in nothing.metadata["issues"]] == ["question_without_seeds"]


async def test_a_model_picks_the_facts_that_the_question_is_about(world: GraphWorld) -> None:
    reader = Reader(**HARBOUR_READER)
    kb = await built(world, reader)
    reader.overrides[f"{MODE}/fact_filter"] = lambda request: json.dumps(
        {"relevant": [_number_of("sails to", request.prompt), 99]}
    )
    found = await kb.query("Petrel", mode=MODE, options={"filter_facts": True, "seed_top_k": 4})
    assert {seed["name"] for seed in found.metadata["seeds"]} == {"Petrel", "Gull Island"}
    assert "issues" not in found.metadata
    reader.overrides[f"{MODE}/fact_filter"] = '{"relevant": []}'
    none = await kb.query("Petrel", mode=MODE, options={"filter_facts": True})
    assert none.metadata["seeds"] == []


def _number_of(fact: str, prompt: str) -> int:
    line = next(line for line in prompt.splitlines() if fact in line and line[0].isdigit())
    return int(line.partition(".")[0])


@pytest.mark.parametrize("reply", ["", "sorry", '{"relevant": "all"}', '{"relevant": [77]}'])
async def test_a_filter_without_a_usable_reply_keeps_all_facts_and_says_so(world: GraphWorld, reply: str) -> None:
    reader = Reader(**HARBOUR_READER, overrides={f"{MODE}/fact_filter": reply})
    kb = await built(world, reader)
    found = await kb.query("Petrel", mode=MODE, options={"filter_facts": True})
    assert found.results
    (problem,) = found.metadata["issues"]
    assert (problem["code"], problem["action"]) == ("fact_filter_failed", "kept_all_facts")


async def test_a_filter_without_a_model_keeps_all_facts_and_says_so(world: GraphWorld) -> None:
    kb = await world.build()
    found = await kb.query("Petrel", mode=MODE, options={"filter_facts": True})
    assert found.results
    assert found.metadata["issues"][0]["code"] == "fact_filter_failed"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"damping": 1}, "option damping must be a number of at least 0 and below 1, found 1"),
        ({"damping": "half"}, "option damping must be a number"),
        ({"passage_weight": -1}, "option passage_weight must be a number of at least 0"),
        ({"synonym_threshold": True}, "option synonym_threshold must be a number"),
        ({"seed_top_k": 0}, "option seed_top_k must be a whole number of at least 1"),
        ({"passage_modes": ["vektor_search"]}, "did you mean vector_search"),
        ({"filter_facts": "yes"}, "option filter_facts must be true or false"),
    ],
)
async def test_options_that_cannot_be_are_refused(world: GraphWorld, options: dict[str, Any], message: str) -> None:
    world.embedding = None
    kb = await world.build({"lamp": HARBOUR["lamp"]})
    with pytest.raises(ValueError, match=message):
        await kb.query("Petrel", mode=MODE, options=options)


async def test_synonyms_carry_a_walk_from_one_name_to_another(world: GraphWorld) -> None:
    things = {"Stone Pier": "A pier.", "stone pier ferry": "A ship.", "Hesper": "A mill."}
    texts = {"a": "Stone Pier belongs to Hesper.", "b": "Where is the stone pier ferry?"}
    language = Reader(things).model()
    kb = await world.build(texts, recipe=world.recipe(language=language, semantic_merge=False))
    (pair,) = await world.table(kb, "graph_synonyms")
    assert pair["similarity"] == pytest.approx(2 / 6**0.5, abs=1e-4)
    assert await documents(kb, "Hesper") == ["a", "b"]
    assert await documents(kb, "Hesper", options={"synonym_threshold": 0.9}) == ["a"]


async def test_a_document_that_names_nothing_new_is_walked_to_after_an_update(world: GraphWorld) -> None:
    kb = await built(world, steps=(EmbedChunks(), IndexVectors(), HetaGraphProcedure()))
    before = await kb.query("rye bread", mode=MODE)
    (loaf,) = await world.put({"loaf": "so much rye bread"})
    kb = await kb.update(add=[loaf])
    after = await kb.query("rye bread", mode=MODE)
    assert after.metadata["nodes"] == before.metadata["nodes"] + 1
    assert "loaf" in [result.source["document_id"] for result in after.results]
