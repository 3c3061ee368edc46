"""New facts merged into those in the store."""

from pathlib import Path
from typing import Any

import pytest
from graph_world import GraphWorld, Reader

from heta_framework.kb import MergeGraphIntoStoreConfig

pytestmark = pytest.mark.anyio
RESULT = "merge_graph_into_store_result"
READER: dict[str, Any] = {
    "entities": {"Stormbird": "A ferry petrel.", "Petrel": "A ferry petrel.", "Ivo": "A captain ivo."},
    "relations": (("Ivo", "commands", "Stormbird"), ("Ivo", "commands", "Petrel")),
}
MERGE = '{"mapping_table": {"Petrel": ["Stormbird", "Petrel"]}}'


@pytest.fixture
def world(tmp_path: Path) -> GraphWorld:
    return GraphWorld(tmp_path)


async def names(world: GraphWorld, kb: Any) -> list[str]:
    return sorted(row["entity_name"] for row in await world.table(kb, "entities"))


async def test_an_update_merges_what_it_brings_into_what_is_there(world: GraphWorld) -> None:
    reader = Reader(**READER, overrides={"merge_graph_into_store": MERGE})
    recipe = world.recipe(language=reader.model(), mode="merge_into_store", semantic_merge=False)
    kb = await world.build({"one": "Ivo commands the Petrel."}, recipe=recipe)
    assert not [one for one in reader.asked if one["step"] == "merge_graph_into_store"]
    first = kb.run_record.artifacts[RESULT]
    assert (first.input_entity_count, first.inserted_entity_count, first.merged_entity_count) == (2, 2, 0)
    (two,) = await world.put({"two": "Ivo commands the Stormbird."})
    kb = await kb.update(add=[two])
    assert await names(world, kb) == ["Ivo", "Petrel"]
    second = kb.run_record.artifacts[RESULT]
    assert (second.input_entity_count, second.inserted_entity_count, second.merged_entity_count) == (3, 0, 1)
    assert (second.merged_relation_count, second.deleted_entity_count, second.evidence_count) == (1, 0, 6)
    assert [one for one in reader.asked if one["step"] == "merge_graph_into_store"] == [
        {"step": "merge_graph_into_store", "attempt": 1}
    ]
    (three,) = await world.put({"three": "Ivo sleeps."})
    kb = await kb.update(add=[three])
    assert await names(world, kb) == ["Ivo", "Petrel"]
    kb = await kb.update(remove=["one"])
    assert await names(world, kb) == ["Ivo", "Stormbird"]


async def test_without_a_model_equal_names_alone_are_merged(world: GraphWorld) -> None:
    kb = await world.build({"one": "Ivo Brandt commands the Petrel."}, recipe=world.recipe(mode="merge_into_store"))
    (two,) = await world.put({"two": "Ivo Brandt commands the Stormbird."})
    kb = await kb.update(add=[two])
    assert {"Ivo Brandt", "Petrel", "Stormbird"} <= set(await names(world, kb))
    assert kb.run_record.artifacts[RESULT].merged_entity_count == 0
    found = await kb.query("Ivo Brandt", mode="heta_graph_search")
    (ivo,) = [result for result in found.results if result.metadata.get("entity_name") == "Ivo Brandt"]
    assert set(ivo.source["document_ids"]) == {"one", "two"}
    await kb.delete()
    assert await world.sql.fetch_all("SELECT name FROM sqlite_master WHERE type = 'table'") == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"top_k": 0}, "top_k must be greater than zero"),
        ({"batch_size": 0}, "batch_size must be greater than zero"),
        ({"llm_max_retries": -1}, "llm_max_retries must not be negative"),
        ({"similarity_threshold": 2}, "similarity_threshold must be between 0 and 1"),
        ({"temperature": -1}, "temperature must not be negative"),
        ({"vector_metric": "x"}, "vector_metric must be one of"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MergeGraphIntoStoreConfig(**settings)
