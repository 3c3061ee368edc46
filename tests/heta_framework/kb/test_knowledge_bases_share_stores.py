"""Knowledge bases on the same stores: each sees its own documents, and none takes away what another made."""

from pathlib import Path

import pytest
from tiny_recipes import QUESTION, SharedStores, TinyEmbedding, contents, found

from heta_framework.kb import KnowledgeBase

pytestmark = pytest.mark.anyio
UNITS = {
    "unit 1": {"raw/u1/tides.txt": "The tide tables hang in the hall.", "raw/u1/mill.txt": "The mill grinds rye."},
    "unit 2": {"raw/u2/tides.txt": "Tide tables are printed in May."},
    "unit 3": {"raw/u3/oil.txt": "Where are the oil cans? In the shed."},
}


@pytest.fixture
async def stores(tmp_path: Path) -> SharedStores:
    return SharedStores(tmp_path)


async def build_units(stores: SharedStores) -> dict[str, KnowledgeBase]:
    built = {}
    for name, texts in UNITS.items():
        await stores.put(texts)
        inputs = {"source_keys": tuple(texts)}
        built[name] = await KnowledgeBase.create(recipe=stores.recipe(), name=name, initial_artifacts=inputs)
    return built


async def found_keys(kb: KnowledgeBase) -> set[str]:
    answers = [await kb.query(QUESTION, mode=mode) for mode in ("vector_search", "full_text_search")]
    return {hit.source["object_key"] for answer in answers for hit in answer.results}


async def test_units_see_only_their_own_documents(stores: SharedStores) -> None:
    for name, kb in (await build_units(stores)).items():
        assert {entry.key for entry in await kb.documents()} == set(UNITS[name])
        assert await found_keys(kb) <= set(UNITS[name])


async def test_what_a_unit_finds_does_not_depend_on_the_order_of_units(stores: SharedStores, tmp_path: Path) -> None:
    forwards = {name: await found(kb) for name, kb in (await build_units(stores)).items()}
    alone = SharedStores(tmp_path / "alone")
    for name, texts in reversed(UNITS.items()):
        await alone.put(texts)
        inputs = {"source_keys": tuple(texts)}
        kb = await KnowledgeBase.create(recipe=alone.recipe(), name=name, initial_artifacts=inputs)
        assert await found(kb) == forwards[name]


async def test_deleting_one_leaves_the_others_whole(stores: SharedStores) -> None:
    built = await build_units(stores)
    before = {name: await contents(kb) for name, kb in built.items()}
    await built["unit 1"].delete(purge=True)
    for name in ("unit 2", "unit 3"):
        assert await contents(built[name]) == before[name]
        assert await contents(await KnowledgeBase.load(recipe=stores.recipe(), name=name)) == before[name]


async def test_a_removed_document_does_not_leak_into_the_next_build(stores: SharedStores) -> None:
    await stores.put(UNITS["unit 1"])
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    await kb.delete()
    await stores.objects.delete("raw/u1/mill.txt")
    again = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    assert await found_keys(again) == {"raw/u1/tides.txt"}


async def test_recipes_that_share_a_prefix_do_that_work_once(stores: SharedStores) -> None:
    await stores.put(UNITS["unit 1"])
    first, second = TinyEmbedding(), TinyEmbedding()
    await KnowledgeBase.create(recipe=stores.recipe(model=first), name="one")
    await KnowledgeBase.create(recipe=stores.recipe(model=second), name="two")
    texts = set(UNITS["unit 1"].values())
    assert texts <= set(first.embedded)
    assert not texts & set(second.embedded)
