"""Graphs that fit a schema: by a model's judgement, or by lists of types."""

import json
from pathlib import Path
from typing import Any

import pytest
from graph_world import HARBOUR, HARBOUR_READER, GraphWorld, Reader

from heta_framework.kb import ConstrainGraphByOntologyConfig, KnowledgeBase, KnowledgeBuildError

pytestmark = pytest.mark.anyio
SCHEMA = {"entity_types": ["person", "ship"], "note": "only who and what sails"}
RESULT = "constrain_graph_by_ontology_result"


@pytest.fixture
def world(tmp_path: Path) -> GraphWorld:
    return GraphWorld(tmp_path)


def records(request: Any, stage: str) -> list[dict[str, Any]]:
    found = request.prompt.partition(f"<<<{stage} ")[2].partition(">>>\n")[2]
    listed: list[dict[str, Any]] = json.loads(found.partition("\n<<<end of")[0])
    return listed


def people_and_ships(request: Any) -> str:
    kept = [one for one in records(request, "entities") if one["name"] in ("Ada Quill", "Ivo Brandt", "Petrel")]
    return json.dumps({"entities": [{**one, "type": "ship" if one["name"] == "Petrel" else "person"} for one in kept]})


def everything(request: Any) -> str:
    return json.dumps({"relations": records(request, "relations")})


async def constrained(world: GraphWorld, reader: Reader | None, schema: dict[str, Any], **build: Any) -> KnowledgeBase:
    recipe = world.recipe(
        language=reader.model() if reader else None, schema_constraint_enabled=True, ontology_schema=schema
    )
    return await world.build(recipe=recipe, **build)


async def test_a_model_keeps_what_fits_and_relations_go_with_their_ends(world: GraphWorld) -> None:
    reader = Reader(
        **HARBOUR_READER,
        overrides={
            "constrain_graph_by_ontology/entities": people_and_ships,
            "constrain_graph_by_ontology/relations": everything,
        },
    )
    kb = await constrained(world, reader, SCHEMA)
    rows = await world.table(kb, "entities")
    assert {(row["entity_name"], row["entity_type"]) for row in rows} == {
        ("Ada Quill", "person"),
        ("Ivo Brandt", "person"),
        ("Petrel", "ship"),
    }
    assert [row["relation_name"] for row in await world.table(kb, "relations")] == ["commands"]
    result = kb.run_record.artifacts[RESULT]
    assert (result.input_entity_count, result.input_relation_count) == (8, 5)
    assert (result.entity_count, result.relation_count) == (3, 1)
    asked = [one for one in reader.asked if one["step"] == "constrain_graph_by_ontology"]
    assert {one["stage"] for one in asked} == {"entities", "relations"}
    before = len(reader.asked)
    await constrained(world, reader, SCHEMA, name="again")
    assert not [one for one in reader.asked[before:] if one["step"] == "constrain_graph_by_ontology"]
    await constrained(world, reader, {**SCHEMA, "note": "other"}, name="other schema")
    assert [one for one in reader.asked[before:] if one["step"] == "constrain_graph_by_ontology"]


async def test_a_chunk_without_a_usable_reply_is_left_out_with_an_issue(world: GraphWorld) -> None:
    reader = Reader(**HARBOUR_READER, overrides={"constrain_graph_by_ontology": "sorry"})
    kb = await constrained(world, reader, SCHEMA)
    assert len(kb.run_record.artifacts[RESULT].failed_chunk_ids) == 3
    assert {issue.code for issue in kb.run_record.issues if issue.step == "constrain_graph_by_ontology"} == {
        "constraint_failed"
    }
    assert await world.table(kb, "entities") == []


async def test_without_a_model_lists_of_types_decide(world: GraphWorld) -> None:
    kb = await constrained(
        world, None, {"entity_types": ["Names", {"name": "acronym"}], "relation_types": ["co occurs"]}
    )
    assert {row["entity_subtype"] for row in await world.table(kb, "entities")} == {"name"}
    kb = await constrained(world, None, {"relation_types": ["employs"]}, name="none")
    assert await world.table(kb, "relations") == []
    assert len(await world.table(kb, "entities")) > 5


async def test_a_schema_without_lists_needs_a_model(world: GraphWorld) -> None:
    with pytest.raises(KnowledgeBuildError, match="entity_types or relation_types"):
        await constrained(world, None, {"classes": ["person"]})


async def test_an_update_constrains_what_it_adds(world: GraphWorld) -> None:
    kb = await constrained(world, None, {"entity_types": ["name"]})
    kb = await kb.update(remove=["ferry"])
    rows = await world.table(kb, "entities")
    assert {row["entity_name"] for row in rows} == {"Ada Quill", "Port Sorrel", "Gull Island"}
    (source,) = await world.put({"ferry": HARBOUR["ferry"]})
    kb = await kb.update(add=[source])
    assert "Ivo Brandt" in {row["entity_name"] for row in await world.table(kb, "entities")}


def test_a_schema_must_say_something() -> None:
    with pytest.raises(ValueError, match="schema must not be empty"):
        ConstrainGraphByOntologyConfig(schema={})
