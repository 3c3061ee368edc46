"""``heta_graph_search``: scores, expansion, evidence, filters, and search by words."""

from pathlib import Path
from typing import Any

import pytest
from graph_world import HARBOUR, HARBOUR_READER, CountedWords, GraphWorld, Reader, vector

from heta_framework.kb import KnowledgeBase
from heta_framework.kb.search.types import QueryResponse, QueryResult

pytestmark = pytest.mark.anyio
MODE = "heta_graph_search"


@pytest.fixture
async def kb(tmp_path: Path) -> KnowledgeBase:
    world = GraphWorld(tmp_path)
    return await world.build(recipe=world.recipe(language=Reader(**HARBOUR_READER).model()))


@pytest.fixture
async def wordy(tmp_path: Path) -> KnowledgeBase:
    world = GraphWorld(tmp_path)
    world.embedding = None
    return await world.build(recipe=world.recipe(language=Reader(**HARBOUR_READER).model()))


def named(response: QueryResponse) -> dict[str, QueryResult]:
    return {
        result.metadata.get("entity_name") or result.metadata["relation_name"]: result for result in response.results
    }


def cosine(one: str, other: str) -> float:
    a, b = vector(one), vector(other)
    norms: float = (sum(x * x for x in a) ** 0.5) * (sum(x * x for x in b) ** 0.5)
    return sum(x * y for x, y in zip(a, b, strict=True)) / norms


async def test_half_of_the_hits_are_entities_and_the_rest_relations(kb: KnowledgeBase) -> None:
    question = "Who commands the Petrel?"
    found = await kb.query(question, mode=MODE, top_k=3, options={"relation_expand_limit": 0}, trace=True)
    (event,) = found.trace
    assert (event.stage, event.metadata["entity_hit_count"], event.metadata["relation_hit_count"]) == (MODE, 1, 2)
    best = named(found)["commands"]
    assert best.metadata["matched_by"] == "relation_vector"
    text = "Ivo Brandt -> Petrel\ncommands\ncommands\nIvo Brandt commands Petrel."
    assert best.score == pytest.approx(cosine(question, text))
    assert found.metadata["reasoning"] == "vector"
    assert found.metadata["answer_generation"] == "disabled"


async def test_facts_one_step_further_score_95_hundredths(kb: KnowledgeBase) -> None:
    response = await kb.query("Ivo Brandt commands", mode=MODE, top_k=2)
    everything = named(await kb.query("Ivo Brandt commands", mode=MODE, top_k=20))
    relation = everything["commands"]
    assert relation.score is not None
    petrel = everything["Petrel"]
    assert petrel.metadata["matched_by"] == "relation_endpoint"
    assert petrel.score == pytest.approx(0.95 * relation.score)
    brandt = everything["Ivo Brandt"]
    assert brandt.metadata["matched_by"] == "entity_vector"
    assert brandt.score is not None
    assert brandt.score > 0.95 * relation.score
    assert len(response.results) == 2
    scores = [result.score or 0.0 for result in response.results]
    assert scores == sorted(scores, reverse=True)


async def test_an_entity_brings_so_many_of_its_relations(wordy: KnowledgeBase) -> None:
    async def through_entities(limit: int) -> int:
        found = await wordy.query("Petrel?", mode=MODE, top_k=20, options={"relation_expand_limit": limit})
        assert found.results[0].metadata["entity_name"] == "Petrel"
        return sum(one.metadata["matched_by"] == "entity_one_hop" for one in found.results)

    assert [await through_entities(limit) for limit in (0, 1, 2, 20)] == [0, 1, 2, 3]


async def test_a_result_says_what_it_is_and_where_it_stands(kb: KnowledgeBase) -> None:
    found = named(await kb.query("Ada Quill keeps the lamp", mode=MODE, top_k=4))
    relation, entity = found["keeps the lamp of"], found["Ada Quill"]
    assert relation.kind == "relation"
    assert relation.text == (
        "Relation: Ada Quill -> Port Sorrel\nName: keeps the lamp of\nType: keeps the lamp of\n"
        "Description: Ada Quill keeps the lamp of Port Sorrel."
    )
    assert entity.text == "Entity: Ada Quill\nType: thing\nDescription: Keeper of a lamp."
    assert entity.metadata["search_asset"] == "graph_tables:entities"
    assert entity.metadata["attributes"] == {}
    assert relation.metadata["source_entity_id"] == entity.id
    assert entity.source["document_id"] == "lamp"
    assert entity.source["object_key"] == "raw/lamp.txt"
    assert entity.source["evidence_count"] == 1
    assert entity.source["page_index"] == 0
    (evidence,) = entity.metadata["evidence"]
    assert entity.source["chunk_ids"] == (evidence["chunk_id"],)
    assert evidence["source_name"] == "lamp.txt"
    assert set(evidence["metadata"]) >= {"page_index", "content_sha256"}


async def test_evidence_is_limited_and_begins_with_the_passage_that_states_most(kb: KnowledgeBase) -> None:
    question = "Petrel sails from Port Sorrel"
    port = named(await kb.query(question, mode=MODE, top_k=10))["Port Sorrel"]
    assert [one["document_id"] for one in port.metadata["evidence"]] == ["ferry", "lamp"]
    one = named(await kb.query(question, mode=MODE, top_k=10, options={"evidence_top_k": 1}))["Port Sorrel"]
    assert [each["document_id"] for each in one.metadata["evidence"]] == ["ferry"]
    assert one.source["evidence_count"] == 1
    other = named(await kb.query("Ada Quill keeps the lamp of Port Sorrel", mode=MODE, top_k=10))["Port Sorrel"]
    assert other.source["document_id"] == "lamp"


async def test_filters_keep_facts_that_a_fitting_passage_states(kb: KnowledgeBase) -> None:
    found = await kb.query("Port Sorrel", mode=MODE, top_k=10, filters={"document_id": "lamp"})
    assert set(named(found)) == {"Port Sorrel", "Ada Quill", "keeps the lamp of"}
    assert {result.source["document_id"] for result in found.results} == {"lamp"}
    by_key = await kb.query("Port Sorrel", mode=MODE, top_k=10, filters={"source_key": "raw/lamp.txt"})
    assert len(by_key.results) == 3
    assert (await kb.query("Port Sorrel", mode=MODE, filters={"document_id": "none"})).results == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"evidence_top_k": 0}, "option evidence_top_k must be a whole number of at least 1"),
        ({"relation_expand_limit": "x"}, "option relation_expand_limit must be a whole number of at least 0"),
    ],
)
async def test_options_that_cannot_be_are_refused(kb: KnowledgeBase, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        await kb.query("Petrel", mode=MODE, options=options)


async def test_without_vectors_facts_are_found_by_their_names(wordy: KnowledgeBase) -> None:
    found = await wordy.query("Where does the Petrel sail from?", mode=MODE, top_k=4)
    assert found.metadata["reasoning"] == "lexical"
    petrel = named(found)["Petrel"]
    assert (petrel.score, petrel.metadata["matched_by"]) == (1.0, "entity_name")
    relation = named(found)["sails from"]
    assert relation.metadata["matched_by"] in ("relation_name", "entity_one_hop")
    assert {one.score for one in found.results if one.metadata["matched_by"] == "entity_one_hop"} <= {0.95}
    assert (await wordy.query("what about it?", mode=MODE)).results == ()


async def test_a_question_without_a_vector_is_answered_by_words(kb: KnowledgeBase) -> None:
    found = await kb.query("what is on it?", mode=MODE)
    assert (found.metadata["reasoning"], found.results) == ("lexical", ())


async def test_a_graph_that_was_updated_is_searched_as_it_is_now(tmp_path: Path) -> None:
    world = GraphWorld(tmp_path)
    world.embedding = None
    kb = await world.build()
    assert (await kb.query("Ivo Brandt", mode=MODE)).results
    updated = await kb.update(remove=["ferry"])
    assert not [one for one in (await updated.query("Ivo Brandt", mode=MODE)).results if "Brandt" in one.text]
    (ferry,) = await world.put({"ferry": HARBOUR["ferry"]})
    again = await updated.update(add=[ferry])
    assert (await again.query("Ivo Brandt", mode=MODE)).results[0].metadata["entity_name"] == "Ivo Brandt"


async def test_a_question_is_embedded_once(kb: KnowledgeBase) -> None:
    embedding: CountedWords = kb.recipe.models.embedding  # type: ignore[assignment]
    before = len(embedding.texts)
    await kb.query("Petrel", mode=MODE)
    assert embedding.texts[before:] == ["Petrel"]
