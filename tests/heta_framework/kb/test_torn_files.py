"""A file that was cut or altered is recognised, counts as missing, and is made again; nobody sees a JSON error."""

from pathlib import Path

import pytest
from tiny_recipes import Probe, SharedStores, TinyEmbedding, contents

from heta_framework.kb import (
    KnowledgeBase,
    KnowledgeBaseNotFoundError,
    KnowledgeBaseRuntime,
)

pytestmark = pytest.mark.anyio
RUNTIME = KnowledgeBaseRuntime("house")


@pytest.fixture
async def stores(tmp_path: Path) -> SharedStores:
    stores = SharedStores(tmp_path)
    await stores.put()
    return stores


async def tear(stores: SharedStores, key: str) -> None:
    data = await stores.objects.get(key)
    await stores.objects.put(key, data[: len(data) // 2])


@pytest.mark.parametrize("torn", [("latest_run",), ("manifest",), ("state",), ("latest_run", "manifest", "state")])
async def test_a_torn_record_is_a_build_that_did_not_finish(stores: SharedStores, torn: tuple[str, ...]) -> None:
    model = TinyEmbedding()
    first = await KnowledgeBase.create(recipe=stores.recipe(model=model), name="house")
    before, embedded = await contents(first), list(model.embedded)
    keys = {
        "latest_run": RUNTIME.latest_run_key,
        "manifest": RUNTIME.manifest_key,
        "state": RUNTIME.state_key(first.run_record.run_id),
    }
    for name in torn:
        await tear(stores, keys[name])
    if torn == ("state",):  # a finished knowledge base does not need it
        kb = await KnowledgeBase.load(recipe=stores.recipe(model=model), name="house")
        kb = await kb.resume()
    else:
        kb = await KnowledgeBase.create(recipe=stores.recipe(model=model), name="house")
    assert await contents(kb) == before
    assert set(model.embedded) == set(embedded)
    told = {issue.subject.id for issue in kb.run_record.issues if issue.code == "torn_record"}
    seen = torn if len(torn) == 1 else torn[:2]  # with both gone nobody knows of a run whose state could be read
    assert told == {keys[name] for name in seen}
    reopened = await KnowledgeBase.load(recipe=stores.recipe(model=model), name="house")
    assert await contents(reopened) == before


async def test_loading_a_torn_manifest_says_what_to_do(stores: SharedStores) -> None:
    await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    await tear(stores, RUNTIME.manifest_key)
    with pytest.raises(KnowledgeBaseNotFoundError, match=r"manifest.json is not believed: .*create\(\) makes it again"):
        await KnowledgeBase.load(recipe=stores.recipe(), name="house")


async def test_a_torn_latest_run_does_not_keep_a_finished_knowledge_base_from_loading(stores: SharedStores) -> None:
    first = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    await tear(stores, RUNTIME.latest_run_key)
    kb = await KnowledgeBase.load(recipe=stores.recipe(), name="house")
    assert await contents(kb) == await contents(first)


@pytest.mark.parametrize(
    "folder", ["parsed/", "chunks/", "_heta/cache/parse/", "_heta/cache/split/", "_heta/cache/embed/"]
)
@pytest.mark.parametrize("loss", ["torn", "gone"])
async def test_a_damaged_derived_file_does_not_make_every_resume_fail(
    stores: SharedStores, folder: str, loss: str
) -> None:
    failing, model = Probe(fails_with=OSError("away")), TinyEmbedding()
    recipe = stores.recipe(failing, model=model)
    await KnowledgeBase.create(recipe=recipe, name="house", on_error="record")
    for key in await stores.keys(folder):
        await (tear(stores, key) if loss == "torn" else stores.objects.delete(key))
    failing.fails_with = None
    stores.restart()  # so that every index reads what is damaged
    kb = await KnowledgeBase.create(recipe=stores.recipe(failing, model=model), name="house")
    undisturbed = await KnowledgeBase.create(recipe=stores.recipe(), name="undisturbed")
    assert await contents(kb) == await contents(undisturbed)


async def test_a_damaged_derived_file_is_mended_by_load(stores: SharedStores) -> None:
    first = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    before = await contents(first)
    for key in [*await stores.keys("chunks/"), *await stores.keys("_heta/cache/embed/")]:
        await tear(stores, key)
    stores.restart()
    kb = await KnowledgeBase.load(recipe=stores.recipe(), name="house")
    assert await contents(kb) == before


async def test_documents_can_be_removed_beside_a_damaged_knowledge_base(stores: SharedStores) -> None:
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    other = await KnowledgeBase.create(recipe=stores.recipe(), name="other")
    for key in other.run_record.artifacts["chunk_keys"]:
        await tear(stores, key)
    gone, *kept = [document.document_id for document in await kb.documents()]
    kb = await kb.update(remove=[gone])
    assert [document.document_id for document in await kb.documents()] == kept
