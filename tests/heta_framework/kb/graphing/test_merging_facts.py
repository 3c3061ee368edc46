"""Facts that are one become one: by name always, by meaning where models say so."""

import json
from pathlib import Path
from typing import Any

import pytest
from graph_world import GraphWorld, Reader
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.kb import KnowledgeBase
from heta_framework.kb.graphing.fact_packs import read_facts
from heta_framework.kb.graphing.merging.entities import ENTITY_ID, merge_entities_exactly
from heta_framework.kb.graphing.merging.id_mapping import IdMapping
from heta_framework.kb.graphing.merging.relations import merge_relations_exactly

pytestmark = pytest.mark.anyio
FLEET = {
    "one": "The Petrel is a ferry. Ivo commands the Petrel.",
    "two": "The MV Petrel is a ferry. Ivo commands the MV Petrel.",
}
FLEET_READER: dict[str, Any] = {
    "entities": {"MV Petrel": "A ferry petrel.", "Petrel": "A ferry petrel.", "Ivo": "A captain."},
    "relations": (("Ivo", "commands", "MV Petrel"), ("Ivo", "commands", "Petrel")),
}
MERGE_PETRELS = json.dumps(
    {
        "entity_list": [
            {
                "NodeName": "MV Petrel",
                "Description": "The ferry MV Petrel.",
                "Type": "ship",
                "Attr": {},
                "merge_tag": True,
            }
        ],
        "mapping_table": {"MV Petrel": ["MV Petrel", "Petrel"]},
    }
)


def entity(name: str, chunk: str, **fields: Any) -> dict[str, Any]:
    usual = {"type": "thing", "subtype": None, "description": f"{name} in {chunk}.", "attributes": {}}
    return {
        "entity_id": f"entity_{name}_{chunk}",
        "chunk_id": chunk,
        "document_id": f"doc_{chunk}",
        "name": name,
        **usual,
        "source_chunk_ids": [chunk],
        **fields,
    }


def relation(source: dict[str, Any], target: dict[str, Any], chunk: str, **fields: Any) -> dict[str, Any]:
    return {
        "relation_id": f"relation_{source['name']}_{target['name']}_{chunk}",
        "chunk_id": chunk,
        "document_id": f"doc_{chunk}",
        "source_entity_id": source["entity_id"],
        "target_entity_id": target["entity_id"],
        "source_entity_name": source["name"],
        "target_entity_name": target["name"],
        "type": "link",
        "name": "links",
        "description": f"{source['name']} links {target['name']}.",
        "attributes": {},
        "source_chunk_ids": [chunk],
        **fields,
    }


def test_entities_of_one_name_and_type_become_one() -> None:
    facts = [
        entity("Petrel", "a", attributes={"built": "1998"}),
        entity("petrels", "b", attributes={"built": "1999", "flag": "none"}, subtype="ferry"),
        entity("Petrel", "c"),
        entity("Petrel", "d", type="bird"),
    ]
    ship, bird = merge_entities_exactly(facts)
    assert (ship["name"], ship["type"], ship["subtype"]) == ("Petrel", "thing", "ferry")
    assert ship["description"] == "Petrel in a. petrels in b. Petrel in c."
    assert ship["attributes"] == {"built": "1998", "flag": "none"}
    assert ship["source_chunk_ids"] == ["a", "b", "c"]
    assert ship["member_ids"] == ["entity_Petrel_a", "entity_petrels_b", "entity_Petrel_c"]
    assert ship["chunk_id"].startswith("dedup_")
    assert (bird["type"], bird["chunk_id"], bird["document_id"]) == ("bird", "d", "doc_d")
    assert ship["entity_id"] != bird["entity_id"]


def test_the_id_of_a_merged_entity_stays_when_members_come_and_go() -> None:
    few = merge_entities_exactly([entity("Petrel", "a")])
    many = merge_entities_exactly([entity("Petrel", "a"), entity("PETREL", "b")])
    assert few[0]["entity_id"] == many[0]["entity_id"]


@given(st.permutations([entity(name, chunk) for name in ("Petrel", "petrel", "Ada", "pier") for chunk in "abc"]))
def test_the_order_in_which_facts_come_does_not_matter(facts: list[dict[str, Any]]) -> None:
    usual = merge_entities_exactly(sorted(facts, key=str))
    assert merge_entities_exactly(facts) == usual


def test_descriptions_are_kept_short() -> None:
    facts = [entity("Petrel", f"c{number:03}", description=f"{'long ' * 40}{number}.") for number in range(50)]
    assert len(merge_entities_exactly(facts)[0]["description"]) <= 600
    assert merge_entities_exactly([entity("P", "a", description="x" * 900)])[0]["description"] == "x" * 900


def test_relations_follow_their_entities_and_vanish_between_members_of_one() -> None:
    a, b, other = entity("Petrel", "a"), entity("petrels", "b"), entity("Ada", "a")
    merged = merge_entities_exactly([a, b, other])
    ids = IdMapping.of(merged, ENTITY_ID)
    facts = [
        relation(other, a, "a"),
        relation(other, b, "b"),
        relation(a, b, "b"),
        relation(other, a, "a", name="owns"),
    ]
    links, owns = sorted(merge_relations_exactly(facts, ids), key=lambda fact: str(fact["name"]))
    assert (links["source_entity_name"], links["target_entity_name"]) == ("Ada", "Petrel")
    assert links["source_chunk_ids"] == ["a", "b"]
    assert links["source_entity_id"] == ids[other["entity_id"]]
    assert owns["member_ids"] == [facts[3]["relation_id"]]
    assert merge_relations_exactly([relation(entity("gone", "x"), a, "x")], ids) == []
    assert len(merge_relations_exactly(facts, IdMapping({}))) == 4


async def deduplicated(world: GraphWorld, reader: Reader, **build: Any) -> KnowledgeBase:
    return await world.build(FLEET, recipe=world.recipe(language=reader.model(), **build))


async def names(world: GraphWorld, kb: KnowledgeBase) -> list[str]:
    keys = kb.run_record.artifacts["deduplicated_entity_keys"]
    return sorted([fact["name"] async for group in read_facts(world.objects, keys) for fact in group])


@pytest.fixture
def world(tmp_path: Path) -> GraphWorld:
    return GraphWorld(tmp_path)


async def test_a_model_says_which_similar_entities_are_one(world: GraphWorld) -> None:
    reader = Reader(**FLEET_READER, overrides={"deduplicate_entities": MERGE_PETRELS})
    kb = await deduplicated(world, reader)
    assert await names(world, kb) == ["Ivo", "MV Petrel"]
    result = kb.run_record.artifacts["deduplicate_entities_result"]
    assert (result.semantic_merge_count, result.failed_group_count) == (1, 0)
    (petrel,) = [row for row in await world.table(kb, "entities") if row["entity_name"] == "MV Petrel"]
    assert (petrel["description"], petrel["entity_type"]) == ("The ferry MV Petrel.", "ship")
    (commands,) = await world.table(kb, "relations")
    assert (commands["source_entity_name"], commands["target_entity_name"]) == ("Ivo", "MV Petrel")
    evidence = [row["chunk_id"] for row in await world.table(kb, "graph_evidence") if row["fact_type"] == "relation"]
    assert len(evidence) == 2
    asked = [one for one in reader.asked if one["step"] == "deduplicate_entities"]
    assert asked == [{"step": "deduplicate_entities", "phase": "semantic_mapping_merge", "attempt": 1}]
    mapping = kb.run_record.artifacts["entity_id_mapping"]
    assert len({mapping[member] for member in mapping.to_dict() if member in mapping}) == 2


@pytest.mark.parametrize(
    "reply",
    [
        '{"mapping_table": {"Petrel": ["MV Petrel"]}}',
        '{"mapping_table": {"the ferry": ["petrels", "MV PETREL"]}}',
    ],
)
async def test_names_in_a_mapping_need_not_be_exact(world: GraphWorld, reply: str) -> None:
    kb = await deduplicated(world, Reader(**FLEET_READER, overrides={"deduplicate_entities": reply}))
    assert len(await names(world, kb)) == 2


@pytest.mark.parametrize(
    "reply",
    [
        "{}",
        '{"entity_list": [], "mapping_table": {}}',
        '{"mapping_table": {"Petrel": ["Rome", "Ada"]}}',
        '{"mapping_table": 3}',
    ],
)
async def test_a_model_that_sees_nothing_to_merge_is_believed(world: GraphWorld, reply: str) -> None:
    reader = Reader(**FLEET_READER, overrides={"deduplicate_entities": reply})
    kb = await deduplicated(world, reader)
    assert await names(world, kb) == ["Ivo", "MV Petrel", "Petrel"]
    assert not [issue for issue in kb.run_record.issues if issue.step == "deduplicate_entities"]
    assert len([one for one in reader.asked if one["step"] == "deduplicate_entities"]) == 1


@pytest.mark.parametrize("reply", ["sorry", "[1, 2]", '{"verdict": "same"}', ""])
async def test_facts_about_which_no_reply_can_be_used_stay_apart_with_an_issue(world: GraphWorld, reply: str) -> None:
    kb = await deduplicated(world, Reader(**FLEET_READER, overrides={"deduplicate_entities": reply}))
    assert await names(world, kb) == ["Ivo", "MV Petrel", "Petrel"]
    (issue,) = [issue for issue in kb.run_record.issues if issue.step == "deduplicate_entities"]
    assert issue.code == "deduplication_failed"
    assert kb.run_record.artifacts["deduplicate_entities_result"].failed_group_count == 1


async def test_nobody_is_asked_without_both_models_or_where_it_is_switched_off(world: GraphWorld) -> None:
    reader = Reader(**FLEET_READER, overrides={"deduplicate_entities": MERGE_PETRELS})
    await deduplicated(world, reader, semantic_merge=False)
    world.embedding = None
    kb = await world.build(FLEET, name="no embedding", recipe=world.recipe(language=reader.model()))
    assert await names(world, kb) == ["Ivo", "MV Petrel", "Petrel"]
    assert not [one for one in reader.asked if one["step"].startswith("deduplicate")]


async def test_a_model_says_which_relations_of_two_entities_are_one(world: GraphWorld) -> None:
    ends = {"Node1": "Ivo", "Node2": "Petrel"}
    merged = {**ends, "Relation": "is captain of", "Type": "office", "Description": "He is."}
    reply = {"mapping_table": {"Ivo||Petrel": ["Ivo||Petrel"]}, "relation_list": [merged]}
    reader = Reader(
        {"Petrel": "A ferry.", "Ivo": "A captain."},
        [("Ivo", "steers the", "Petrel"), ("Ivo", "guides the", "Petrel")],
        overrides={"deduplicate_relations": json.dumps(reply)},
    )
    recipe = world.recipe(language=reader.model())
    kb = await world.build({"one": FLEET["one"]}, recipe=recipe)
    (captain,) = await world.table(kb, "relations")
    assert (captain["relation_name"], captain["relation_type"], captain["description"]) == (
        "is captain of",
        "office",
        "He is.",
    )
    assert kb.run_record.artifacts["deduplicate_relations_result"].semantic_merge_count == 1
    ids = [
        one["Id"]
        for one in json.loads(reader.prompts[-1].partition("entries")[2].partition(">>>\n")[2].split("\n<<<")[0])
    ]
    assert len(ids) == 2


async def test_an_update_asks_only_about_what_changed_and_forgets_old_replies(world: GraphWorld) -> None:
    reader = Reader(**FLEET_READER, overrides={"deduplicate_entities": MERGE_PETRELS})
    kb = await deduplicated(world, reader)
    (source,) = await world.put({"three": "Ivo sails."})
    before = len(reader.asked)
    kb = await kb.update(add=[source])
    assert {one["step"] for one in reader.asked[before:]} == {"extract_universal_graph"}
    assert await names(world, kb) == ["Ivo", "MV Petrel"]
    assert "The ferry MV Petrel." in await world.everything_stored(kb)
    kb = await kb.update(remove=["two"])
    assert await names(world, kb) == ["Ivo", "Petrel"]
    assert "MV Petrel" not in await world.everything_stored(kb)
