"""Extraction as a step: every text once, failures as issues, and without a model too."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from graph_world import HARBOUR, HARBOUR_READER, GraphWorld, Reader

from heta_framework.common.models import FunctionLanguageModel
from heta_framework.kb import ExtractUniversalGraph, ExtractUniversalGraphConfig, KnowledgeBase, KnowledgeBuildError
from heta_framework.kb.graphing.fact_packs import read_facts

pytestmark = pytest.mark.anyio
RESULT = "extract_universal_graph_result"


@pytest.fixture
def world(tmp_path: Path) -> GraphWorld:
    return GraphWorld(tmp_path)


def extraction(**settings: Any) -> list[ExtractUniversalGraph]:
    return [ExtractUniversalGraph(ExtractUniversalGraphConfig(**settings))]


async def facts(world: GraphWorld, kb: KnowledgeBase, artifact: str) -> list[dict[str, Any]]:
    return [fact async for group in read_facts(world.objects, kb.run_record.artifacts[artifact]) for fact in group]


async def test_a_model_is_asked_for_entities_then_for_relations_between_them(world: GraphWorld) -> None:
    reader = Reader(**HARBOUR_READER)
    kb = await world.build(recipe=world.recipe(language=reader.model(), steps=extraction()))
    stages = [(one["stage"], one["attempt"]) for one in reader.asked]
    assert sorted(stages) == [("entity_extraction", 1)] * 3 + [("relation_extraction", 1)] * 3
    assert all(one["chunk_id"].startswith("chunk_") for one in reader.asked)
    result = kb.run_record.artifacts[RESULT]
    assert (result.chunk_count, result.entity_count, result.relation_count) == (3, 8, 5)
    entities = await facts(world, kb, "entity_keys")
    relations = await facts(world, kb, "relation_keys")
    assert {entity["document_id"] for entity in entities} == set(HARBOUR)
    ids = {entity["entity_id"]: entity["name"] for entity in entities}
    assert all(ids[one["source_entity_id"]] == one["source_entity_name"] for one in relations)
    assert all(key.startswith(f"entities/{kb.run_record.artifacts['kb_namespace']}/") for key in result.entity_keys)


async def test_a_text_is_extracted_once_for_all_recipes_and_knowledge_bases(world: GraphWorld) -> None:
    reader = Reader(**HARBOUR_READER)
    same_text = {**HARBOUR, "copy": HARBOUR["lamp"]}
    first = await world.build(same_text, recipe=world.recipe(language=reader.model(), steps=extraction()))
    assert len(reader.asked) == 6
    assert first.run_record.artifacts[RESULT].entity_count == 10
    second = await world.build(same_text, name="second", recipe=world.recipe(language=reader.model()))
    assert not [one for one in reader.asked[6:] if one["step"] == "extract_universal_graph"]
    assert second.run_record.artifacts[RESULT].entity_count == 10


async def test_another_model_or_temperature_extracts_anew(world: GraphWorld) -> None:
    reader = Reader(**HARBOUR_READER)
    await world.build(recipe=world.recipe(language=reader.model(), steps=extraction()))
    await world.build(name="b", recipe=world.recipe(language=reader.model(), steps=extraction(temperature=0.5)))
    assert len(reader.asked) == 12
    other = FunctionLanguageModel(reader._answer, model_name="another")
    await world.build(name="c", recipe=world.recipe(language=other, steps=extraction()))
    assert len(reader.asked) == 18


async def test_a_chunk_without_a_usable_reply_fails_alone_and_is_tried_again_later(world: GraphWorld) -> None:
    reader = Reader(**HARBOUR_READER)
    reader.overrides["extract_universal_graph/entity_extraction"] = lambda request: (
        "sorry" if "bakery sells" in request.prompt else _entities_of(reader, request)
    )
    kb = await world.build(recipe=world.recipe(language=reader.model(), steps=extraction(max_attempts=2)))
    result = kb.run_record.artifacts[RESULT]
    assert kb.run_record.status == "succeeded"
    assert len(result.failed_entity_chunk_ids) == 1
    (issue,) = [one for one in kb.run_record.issues if one.code == "entity_extraction_failed"]
    assert issue.subject.id == result.failed_entity_chunk_ids[0]
    assert "raw/bakery.txt" in issue.message
    assert {fact["document_id"] for fact in await facts(world, kb, "entity_keys")} == {"lamp", "ferry"}
    attempts = [one["attempt"] for one in reader.asked if one["chunk_id"] == issue.subject.id]
    assert attempts == [1, 2]
    reader.overrides.clear()
    again = await world.build(name="again", recipe=world.recipe(language=reader.model(), steps=extraction()))
    assert again.run_record.artifacts[RESULT].failed_entity_chunk_ids == ()
    assert {fact["document_id"] for fact in await facts(world, again, "entity_keys")} == set(HARBOUR)


def _entities_of(reader: Reader, request: Any) -> str:
    told = request.prompt.rpartition("<<<text ")[2]
    return json.dumps({"entities": [{"name": name} for name in reader.entities if name in told]})


async def test_entities_stay_where_relations_fail(world: GraphWorld) -> None:
    reader = Reader(**HARBOUR_READER, overrides={"extract_universal_graph/relation_extraction": "{}"})
    kb = await world.build(recipe=world.recipe(language=reader.model(), steps=extraction(max_attempts=1)))
    result = kb.run_record.artifacts[RESULT]
    assert (result.entity_count, result.relation_count, len(result.failed_relation_chunk_ids)) == (8, 0, 3)
    assert {issue.code for issue in kb.run_record.issues if issue.step == "extract_universal_graph"} == {
        "relation_extraction_failed"
    }


async def test_a_chunk_with_one_entity_is_not_asked_about_relations(world: GraphWorld) -> None:
    reader = Reader(entities={"Ada Quill": "A keeper."})
    kb = await world.build(recipe=world.recipe(language=reader.model(), steps=extraction()))
    assert {one["stage"] for one in reader.asked} == {"entity_extraction"}
    assert len(kb.run_record.artifacts[RESULT].skipped_relation_chunk_ids) == 3


async def test_a_model_out_of_reach_fails_the_step_and_nothing_is_lost(world: GraphWorld) -> None:
    def down(_: Any) -> str:
        raise ConnectionError("nobody there")

    recipe = world.recipe(language=FunctionLanguageModel(down, model_name="reader"), steps=extraction(max_attempts=1))
    with pytest.raises(KnowledgeBuildError, match=r"replied about none of 3 texts.*nobody there"):
        await world.build(recipe=recipe)
    reader = Reader(**HARBOUR_READER)
    kb = await world.build(recipe=world.recipe(language=reader.model(), steps=extraction(max_attempts=1)))
    assert kb.run_record.artifacts[RESULT].entity_count == 8


async def test_without_a_model_extraction_is_lexical(world: GraphWorld) -> None:
    kb = await world.build(recipe=world.recipe(steps=extraction()))
    names = {fact["name"] for fact in await facts(world, kb, "entity_keys")}
    assert {"Ada Quill", "Port Sorrel", "Petrel", "Gull Island", "Ivo Brandt", "bakery"} <= names
    assert {fact["type"] for fact in await facts(world, kb, "relation_keys")} == {"co_occurs"}


async def test_a_model_can_be_passed_over_or_insisted_on(world: GraphWorld) -> None:
    reader = Reader(**HARBOUR_READER)
    await world.build(recipe=world.recipe(language=reader.model(), steps=extraction(extraction="lexical")))
    assert reader.asked == []
    required = ExtractUniversalGraph(ExtractUniversalGraphConfig(extraction="model")).requirements.components
    assert "models.language" in {ref.key for ref in required}
    named = ExtractUniversalGraph(ExtractUniversalGraphConfig(language_model="small")).requirements.components
    assert "models.language.small" in {ref.key for ref in named}
    optional = ExtractUniversalGraph().requirements.components
    assert {ref.key for ref in optional} == {"stores.objects"}


@pytest.mark.skipif(find_spec("spacy") is not None, reason="spaCy is installed")
async def test_without_spacy_the_error_says_what_to_install(world: GraphWorld) -> None:
    with pytest.raises(KnowledgeBuildError, match=r'extraction="spacy" needs spaCy.*pip install "heams\[spacy\]"'):
        await world.build(recipe=world.recipe(extraction="spacy"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_attempts": 0}, "max_attempts must be greater than zero"),
        ({"temperature": -0.1}, "temperature must not be negative"),
        ({"extraction": "magic"}, "extraction must be one of: auto, model, lexical, spacy; found 'magic'"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ExtractUniversalGraphConfig(**settings)
