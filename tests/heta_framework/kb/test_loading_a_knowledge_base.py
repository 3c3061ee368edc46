"""Reopening: checked against the recipe, and made whole where the stores have lost something."""

from dataclasses import replace
from pathlib import Path

import pytest
from tiny_recipes import Probe, SharedStores, TinyEmbedding, contents

from heta_framework.common.stores.vector.in_memory import InMemoryVectorStore
from heta_framework.kb import (
    KnowledgeBase,
    KnowledgeBaseManifest,
    KnowledgeBaseNotFoundError,
    KnowledgeBaseRuntime,
    KnowledgeBuildError,
    RecipeMismatchError,
    list_knowledge_bases,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
async def stores(tmp_path: Path) -> SharedStores:
    stores = SharedStores(tmp_path)
    await stores.put()
    return stores


async def test_a_loaded_knowledge_base_is_the_one_that_was_built(stores: SharedStores) -> None:
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house", description="d", metadata={"k": "v"})
    again = await KnowledgeBase.load(recipe=stores.recipe(), name="house")
    assert await contents(again) == await contents(kb)
    assert (again.description, again.metadata, again.created_at) == ("d", {"k": "v"}, kb.created_at)
    assert again.manifest() == KnowledgeBaseManifest.from_dict(again.manifest().to_dict())
    assert again.run_record.step_records == kb.run_record.step_records


async def test_stores_in_memory_are_filled_again_after_a_restart(stores: SharedStores) -> None:
    model = TinyEmbedding()
    before = await contents(await KnowledgeBase.create(recipe=stores.recipe(model=model), name="house"))
    embedded = list(model.embedded)
    stores.restart()
    kb = await KnowledgeBase.load(recipe=stores.recipe(model=model), name="house")
    assert model.embedded == embedded
    assert await contents(kb) == before


async def test_a_recipe_with_another_embedding_model_is_refused_and_both_are_named(stores: SharedStores) -> None:
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    other = stores.recipe(model=TinyEmbedding("other-16"))
    message = "made by 'tiny-16', but the recipe's models.embedding is 'other-16'"
    with pytest.raises(RecipeMismatchError, match=message):
        await KnowledgeBase.load(recipe=other, name="house")
    with pytest.raises(RecipeMismatchError, match=message):
        KnowledgeBase.restore(manifest=kb.manifest(), recipe=other)
    with pytest.raises(RecipeMismatchError, match=message):
        await replace(kb, recipe=other).resume()


async def test_a_name_that_nobody_has_is_not_found(stores: SharedStores) -> None:
    with pytest.raises(KnowledgeBaseNotFoundError, match="knowledge base metadata not found: nobody") as nothing:
        await KnowledgeBase.load(recipe=stores.recipe(), name="nobody")
    assert nothing.value.__notes__[0].endswith("holds no knowledge base")
    for name in ("house", "barn"):
        await KnowledgeBase.create(recipe=stores.recipe(), name=name)
    with pytest.raises(KnowledgeBaseNotFoundError) as mistyped:
        await KnowledgeBase.load(recipe=stores.recipe(), name="hous")
    assert "holds 'barn', 'house'; did you mean 'house'?" in mistyped.value.__notes__[0]


async def test_the_knowledge_bases_of_a_store_are_listed_by_name(stores: SharedStores) -> None:
    assert await list_knowledge_bases(stores.objects) == ()
    kept = await KnowledgeBase.create(recipe=stores.recipe(), name="Marine KB", description="Of the sea.")
    gone = await KnowledgeBase.create(recipe=stores.recipe(), name="gone")
    await KnowledgeBase.create(recipe=stores.recipe(), name="torn")
    await stores.objects.put(KnowledgeBaseRuntime("torn").manifest_key, b"{")
    await gone.delete()
    (manifest,) = await list_knowledge_bases(stores.objects)
    assert (manifest.name, manifest.description) == ("Marine KB", "Of the sea.")
    restored = KnowledgeBase.restore(manifest=manifest, recipe=stores.recipe())
    assert await restored.documents() == await kept.documents()


async def test_a_repair_that_fails_leaves_the_knowledge_base_for_the_next_try(stores: SharedStores) -> None:
    before = await contents(await KnowledgeBase.create(recipe=stores.recipe(), name="house"))
    stores.restart()

    class Away(InMemoryVectorStore):
        async def has_collection(self, name: str) -> bool:
            raise ConnectionError("the vector server is away")

    with pytest.raises(ConnectionError, match="away"):
        await KnowledgeBase.load(recipe=stores.recipe(vector=Away()), name="house")

    class Full(InMemoryVectorStore):
        async def upsert(self, collection: str, records: object) -> None:
            raise OSError("no space left")

    with pytest.raises(KnowledgeBuildError, match="step 'index_vectors' failed: OSError: no space left"):
        await KnowledgeBase.load(recipe=stores.recipe(vector=Full()), name="house")
    kb = await KnowledgeBase.load(recipe=stores.recipe(), name="house")
    assert await contents(kb) == before


async def test_a_restored_knowledge_base_looks_into_no_store(stores: SharedStores) -> None:
    kb = await KnowledgeBase.create(recipe=stores.recipe(Probe()), name="house")
    restored = KnowledgeBase.restore(manifest=kb.manifest(), recipe=stores.recipe())
    assert restored.available_queries == kb.available_queries
    assert await contents(restored) == await contents(kb)


async def test_resuming_a_whole_knowledge_base_runs_nothing(stores: SharedStores) -> None:
    probe = Probe()
    kb = await KnowledgeBase.create(recipe=stores.recipe(probe), name="house")
    again = await (await KnowledgeBase.load(recipe=stores.recipe(probe), name="house")).resume()
    assert probe.runs == 1
    assert {step.status for step in again.run_record.step_records} == {"skipped"}
    assert again.run_record.run_id == kb.run_record.run_id
