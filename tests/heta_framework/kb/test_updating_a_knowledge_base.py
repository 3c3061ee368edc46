"""Updates: the same as building anew, without doing the rest again; forgetting is real, and half an update is none."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tiny_recipes import TEXTS, Probe, SharedStores, TinyEmbedding, contents, document_ids, found

from heta_framework.kb import KnowledgeBase, KnowledgeBaseRuntime, KnowledgeBuildError, SourceDocument
from heta_framework.kb.derived.pack import decode_pack

pytestmark = pytest.mark.anyio
NEW = "A brass bell rings at the quay when the tide turns."


@pytest.fixture
async def stores(tmp_path: Path) -> SharedStores:
    stores = SharedStores(tmp_path)
    await stores.put()
    return stores


async def id_of(kb: KnowledgeBase, key: str) -> str:
    return next(entry.document_id for entry in await kb.documents() if entry.key == key)


async def test_an_updated_knowledge_base_equals_one_built_anew(stores: SharedStores, tmp_path: Path) -> None:
    model = TinyEmbedding()
    kb = await KnowledgeBase.create(recipe=stores.recipe(model=model), name="house")
    embedded = len(model.embedded)
    await stores.put({"raw/bell.txt": NEW})
    updated = await kb.update(add=["raw/bell.txt"], remove=[await id_of(kb, "raw/orchard.txt")])
    assert model.embedded[embedded:] == [NEW]

    anew = SharedStores(tmp_path / "anew")
    await anew.put({key: text for key, text in TEXTS.items() if key != "raw/orchard.txt"} | {"raw/bell.txt": NEW})
    built = await KnowledgeBase.create(recipe=anew.recipe(), name="house")
    assert await contents(updated) == await contents(built)
    reopened = await KnowledgeBase.load(recipe=stores.recipe(), name="house")
    assert await contents(reopened) == await contents(built)
    assert updated.updated_at > kb.updated_at
    assert updated.created_at == kb.created_at


async def test_documents_are_given_as_keys_dicts_or_source_documents(stores: SharedStores) -> None:
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house", initial_artifacts={"source_keys": ()})
    kb = await kb.update(
        add=[
            "raw/harbour.txt",
            {"key": "raw/orchard.txt", "document_id": "trees"},
            SourceDocument("raw/lantern.txt", "light", metadata={"floor": 2}),
        ]
    )
    ids = await document_ids(kb)
    assert {"trees", "light"} < ids
    assert len(ids) == 3
    answer = await kb.query("lantern burns oil", mode="full_text_search", top_k=1)
    assert answer.results[0].source["document_id"] == "light"
    assert answer.results[0].source["document_metadata"] == {"floor": 2}
    for wrong in ("raw/harbour.txt", {"key": "raw/harbour.txt"}):
        with pytest.raises(TypeError, match="add must be a sequence, found one"):
            await kb.update(add=wrong)


async def test_a_document_that_is_added_again_replaces_itself(stores: SharedStores) -> None:
    inputs = {"source_documents": [{"key": "raw/harbour.txt", "document_id": "harbour"}, "raw/orchard.txt"]}
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house", initial_artifacts=inputs)
    await stores.put({"raw/harbour.txt": "The harbour master retired.", "raw/orchard.txt": "The orchard was felled."})
    kb = await kb.update(add=[SourceDocument("raw/harbour.txt", "harbour"), "raw/orchard.txt"])
    texts = sorted([chunk.text async for chunk in await kb.chunks()])
    assert texts == ["The harbour master retired.", "The orchard was felled."]
    assert "harbour" in await document_ids(kb)


async def test_a_step_that_knows_no_deltas_simply_runs_again(stores: SharedStores) -> None:
    probe = Probe()
    kb = await KnowledgeBase.create(recipe=stores.recipe(probe), name="house")
    await stores.put({"raw/bell.txt": NEW})
    kb = await kb.update(add=["raw/bell.txt"])
    assert probe.runs == 2
    assert kb.run_record.artifacts["probe"] == "probe was here"


async def test_an_unknown_document_is_refused_before_anything_changes(stores: SharedStores) -> None:
    kb = await KnowledgeBase.create(
        recipe=stores.recipe(),
        name="house",
        initial_artifacts={"source_documents": [SourceDocument("raw/harbour.txt", "harbour-1")]},
    )
    before = await contents(kb)
    with pytest.raises(LookupError, match="has no document 'harbor-1'; did you mean 'harbour-1'"):
        await kb.update(add=["raw/orchard.txt"], remove=["harbor-1"])
    reopened = await KnowledgeBase.load(recipe=stores.recipe(), name="house")
    assert await contents(reopened) == before


async def test_an_update_of_nothing_changes_nothing(stores: SharedStores) -> None:
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    assert (await kb.update()).updated_at == kb.updated_at


async def everything_kept(stores: SharedStores) -> bytes:
    """All that lies in the object store beside raw documents, with packs unpacked."""
    kept = b""
    for key in await stores.keys():
        data = await stores.objects.get(key)
        if not key.startswith("raw/"):
            packed = decode_pack(data) if key.endswith(".pack") else {"": data}
            kept += b"".join(name.encode() + value for name, value in packed.items())
    return kept


async def test_a_removed_document_is_forgotten_everywhere(stores: SharedStores) -> None:
    await stores.put({"raw/secret.txt": "The combination of the vault is 7-1-9."})
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    chunk = next([one async for one in await kb.chunks() if "vault" in one.text].__iter__())
    going = await id_of(kb, "raw/secret.txt")
    assert b"combination of the vault" in await everything_kept(stores)
    kb = await kb.update(remove=[going])
    kept = await everything_kept(stores)
    for trace in (b"combination of the vault", chunk.text_sha256.encode(), going.encode(), b"secret.txt"):
        assert trace not in kept
    assert all(going not in {hit for hit, _ in hits} for hits in (await found(kb, "vault combination")).values())


async def test_what_another_knowledge_base_or_document_shares_is_not_forgotten(stores: SharedStores) -> None:
    await stores.put({"raw/copy.txt": TEXTS["raw/orchard.txt"]})
    other = await KnowledgeBase.create(
        recipe=stores.recipe(), name="other", initial_artifacts={"source_keys": ("raw/harbour.txt",)}
    )
    model = TinyEmbedding()
    kb = await KnowledgeBase.create(recipe=stores.recipe(model=model), name="house")
    await kb.update(remove=[await id_of(kb, "raw/harbour.txt"), await id_of(kb, "raw/orchard.txt")])
    embedded = list(model.embedded)
    stores.restart()
    assert all((await found(await KnowledgeBase.load(recipe=stores.recipe(model=model), name="house"))).values())
    again = await KnowledgeBase.load(recipe=stores.recipe(model=model), name="other")
    assert await document_ids(again) == await document_ids(other)
    assert not set(TEXTS.values()) & set(model.embedded[len(embedded) :])


async def test_a_failed_update_did_not_happen(stores: SharedStores) -> None:
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    before = await contents(kb)

    class FailsOnce(type(stores.text_index)):  # type: ignore[misc]
        failures = 1

        async def upsert(self, index: str, records: Any) -> None:
            if self.failures:
                self.failures -= 1
                raise OSError("no space left")
            await super().upsert(index, records)

    stores.text_index = FailsOnce()
    stores.text_index.failures = 0
    kb = await KnowledgeBase.load(recipe=stores.recipe(), name="house")
    stores.text_index.failures = 1
    await stores.put({"raw/bell.txt": NEW})
    with pytest.raises(KnowledgeBuildError, match="step 'index_full_text' failed: OSError: no space left") as caught:
        await kb.update(add=["raw/bell.txt"], remove=[await id_of(kb, "raw/orchard.txt")])
    assert not hasattr(caught.value, "__notes__")
    assert await contents(kb) == before
    assert await contents(await KnowledgeBase.load(recipe=stores.recipe(), name="house")) == before
    assert not await stores.objects.exists(KnowledgeBaseRuntime("house").pending_update_key)


async def test_a_failed_update_that_cannot_be_taken_back_is_by_the_next_load(stores: SharedStores) -> None:
    failing = Probe()
    kb = await KnowledgeBase.create(recipe=stores.recipe(failing), name="house")
    before = await contents(kb)
    failing.fails_with = OSError("away")
    await stores.put({"raw/bell.txt": NEW})
    with pytest.raises(KnowledgeBuildError) as caught:
        await kb.update(add=["raw/bell.txt"])
    assert "the next load() sees to it" in "".join(caught.value.__notes__)
    failing.fails_with = None
    assert await contents(await KnowledgeBase.load(recipe=stores.recipe(failing), name="house")) == before


async def test_a_cancelled_update_is_finished_by_load(stores: SharedStores) -> None:
    reached = asyncio.Event()

    class WaitsInTheUpdate(Probe):
        async def run(self, context: Any) -> None:
            await super().run(context)
            if self.runs == 2:
                reached.set()
                await asyncio.sleep(3600)

    recipe = stores.recipe(WaitsInTheUpdate())
    kb = await KnowledgeBase.create(recipe=recipe, name="house")
    await stores.put({"raw/bell.txt": NEW})
    update = asyncio.create_task(kb.update(add=["raw/bell.txt"]))
    await reached.wait()
    update.cancel()
    with pytest.raises(asyncio.CancelledError):
        await update
    kb = await KnowledgeBase.load(recipe=recipe, name="house")
    assert {entry.key for entry in await kb.documents()} == {*TEXTS, "raw/bell.txt"}
    assert not await stores.objects.exists(KnowledgeBaseRuntime("house").pending_update_key)


async def test_after_updates_a_lost_store_is_filled_with_what_is_in_now(stores: SharedStores) -> None:
    await stores.put({"raw/bell": NEW, "raw/later.txt": "Not asked for."})
    kb = await KnowledgeBase.create(
        recipe=stores.recipe(), name="house", initial_artifacts={"source_keys": tuple(TEXTS)}
    )
    kb = await kb.update(
        add=[SourceDocument("raw/bell", "bell", "text/plain")], remove=[await id_of(kb, "raw/lantern.txt")]
    )
    before = await contents(kb)
    stores.restart()
    for key in [*await stores.keys("chunks/"), *await stores.keys("_heta/cache/")]:
        await stores.objects.delete(key)
    kb = await KnowledgeBase.load(recipe=stores.recipe(), name="house")
    assert await contents(kb) == before


async def test_a_recipe_with_changed_settings_is_applied_to_all_documents(stores: SharedStores) -> None:
    await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    await stores.put({"raw/bell.txt": NEW})
    finer = await KnowledgeBase.load(recipe=stores.recipe(chunk_size=30), name="house")
    updated = await finer.update(add=["raw/bell.txt"])
    built = await KnowledgeBase.create(recipe=stores.recipe(chunk_size=30), name="anew")
    assert await contents(updated) == await contents(built)


async def test_what_only_the_process_holds_is_there_in_an_update(stores: SharedStores) -> None:
    class UsesLive(Probe):
        async def run(self, context: Any) -> None:
            context.set_artifact(self.name, context.get_artifact("tool")())

    inputs = {"tool": lambda: "used"}
    step = UsesLive(needs=["tool"])
    kb = await KnowledgeBase.create(recipe=stores.recipe(step), name="house", initial_artifacts=inputs)
    kb = await kb.update(add=["raw/harbour.txt"])
    assert kb.run_record.artifacts["probe"] == "used"
    with pytest.raises(KnowledgeBuildError, match="missing artifact: tool"):
        await (await KnowledgeBase.load(recipe=stores.recipe(step), name="house")).update(add=["raw/harbour.txt"])
