"""A build that stopped is taken up under its run id: what is done and unchanged is kept, the rest is done again."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tiny_recipes import Probe, SharedStores, TinyEmbedding, contents, found

from heta_framework.kb import (
    KnowledgeBase,
    KnowledgeBaseBusyError,
    KnowledgeBaseNotFoundError,
    KnowledgeBaseNotReadyError,
    KnowledgeBaseRuntime,
    KnowledgeBuildError,
)
from heta_framework.kb.lifecycle.lease import Lease

pytestmark = pytest.mark.anyio


@pytest.fixture
async def stores(tmp_path: Path) -> SharedStores:
    stores = SharedStores(tmp_path)
    await stores.put()
    return stores


def statuses(kb: KnowledgeBase) -> list[str]:
    return [step.status for step in kb.run_record.step_records]


async def test_resuming_keeps_the_run_id_and_what_is_done(stores: SharedStores) -> None:
    model, before, failing = TinyEmbedding(), Probe("before"), Probe("failing", fails_with=OSError("away"))
    recipe = stores.recipe(before, failing, model=model)
    failed = await KnowledgeBase.create(recipe=recipe, name="house", on_error="record")
    embedded = len(model.embedded)
    failing.fails_with = None
    kb = await KnowledgeBase.create(recipe=recipe, name="house")
    assert kb.run_record.run_id == failed.run_record.run_id
    assert statuses(kb) == ["skipped"] * 6 + ["succeeded"]
    assert (before.runs, failing.runs, len(model.embedded)) == (1, 2, embedded)
    assert kb.created_at == failed.created_at


async def test_a_failed_knowledge_base_resumes_itself(stores: SharedStores) -> None:
    failing = Probe(fails_with=OSError("away"))
    failed = await KnowledgeBase.create(recipe=stores.recipe(failing), name="house", on_error="record")
    with pytest.raises(KnowledgeBuildError, match="step 'probe' failed: OSError: away"):
        await failed.resume()
    assert (await failed.resume(on_error="record")).run_record.status == "failed"
    failing.fails_with = None
    kb = await failed.resume()
    assert kb.run_record.status == "succeeded"
    assert failing.runs == 4
    assert (await kb.resume()).run_record.artifacts["probe"] == "probe was here"
    assert failing.runs == 4


async def test_a_changed_step_is_run_again_with_all_behind_it(stores: SharedStores) -> None:
    failing = Probe(fails_with=OSError("away"))
    await KnowledgeBase.create(recipe=stores.recipe(failing, chunk_size=200), name="house", on_error="record")
    failing.fails_with = None
    kb = await KnowledgeBase.create(recipe=stores.recipe(failing, chunk_size=30), name="house")
    assert statuses(kb) == ["skipped", *["succeeded"] * 5]
    undisturbed = await KnowledgeBase.create(recipe=stores.recipe(chunk_size=30), name="other")
    assert await contents(kb) == await contents(undisturbed)


async def test_another_embedding_model_is_never_taken_for_the_first(stores: SharedStores) -> None:
    failing = Probe(fails_with=OSError("away"))
    await KnowledgeBase.create(recipe=stores.recipe(failing), name="house", on_error="record")
    failing.fails_with = None
    other = TinyEmbedding("other-8", dimension=8)
    kb = await KnowledgeBase.create(recipe=stores.recipe(failing, model=other), name="house")
    assert other.embedded
    assert kb.run_record.artifacts["embedding_space"]["model_name"] == "other-8"
    assert (await kb.query("tide", mode="vector_search")).results


async def test_other_initial_artifacts_begin_again(stores: SharedStores) -> None:
    failing = Probe(fails_with=OSError("away"))
    one, two = {"source_keys": ("raw/harbour.txt",)}, {"source_keys": ("raw/orchard.txt",)}
    recipe = stores.recipe(failing)
    await KnowledgeBase.create(recipe=recipe, name="house", initial_artifacts=one, on_error="record")
    failing.fails_with = None
    kb = await KnowledgeBase.create(recipe=recipe, name="house", initial_artifacts=two)
    assert [entry.key for entry in await kb.documents()] == ["raw/orchard.txt"]
    indexed = {hit[0] for hits in (await found(kb)).values() for hit in hits}
    assert indexed == {entry.document_id for entry in await kb.documents()}


async def test_a_step_whose_live_result_is_needed_runs_again(stores: SharedStores) -> None:
    failing = Probe(fails_with=OSError("away"), needs=["split_documents_result"])
    await KnowledgeBase.create(recipe=stores.recipe(failing), name="house", on_error="record")
    failing.fails_with = None
    kb = await KnowledgeBase.create(recipe=stores.recipe(failing), name="house")
    assert statuses(kb) == ["skipped", "succeeded", "skipped", "skipped", "skipped", "succeeded"]


async def test_stores_in_memory_that_were_lost_are_filled_again_on_resume(stores: SharedStores) -> None:
    failing, model = Probe(fails_with=OSError("away")), TinyEmbedding()
    await KnowledgeBase.create(recipe=stores.recipe(failing, model=model), name="house", on_error="record")
    embedded = model.embedded.copy()
    failing.fails_with = None
    stores.restart()
    kb = await KnowledgeBase.create(recipe=stores.recipe(failing, model=model), name="house")
    assert statuses(kb) == ["skipped", "skipped", "skipped", "succeeded", "succeeded", "succeeded"]
    assert model.embedded == embedded
    assert all((await found(kb)).values())


async def test_a_cancelled_build_is_marked_and_can_be_resumed(stores: SharedStores) -> None:
    reached = asyncio.Event()

    class Waits(Probe):
        async def run(self, context: Any) -> None:
            self.runs += 1
            if self.runs == 1:
                reached.set()
                await asyncio.sleep(3600)
            context.set_artifact(self.name, "done")

    recipe = stores.recipe(Waits())
    build = asyncio.create_task(KnowledgeBase.create(recipe=recipe, name="house"))
    await reached.wait()
    build.cancel()
    with pytest.raises(asyncio.CancelledError):
        await build
    with pytest.raises(KnowledgeBaseNotFoundError, match="did not finish, status=cancelled"):
        await KnowledgeBase.load(recipe=recipe, name="house")
    kb = await KnowledgeBase.create(recipe=recipe, name="house")
    assert statuses(kb) == ["skipped"] * 5 + ["succeeded"]


async def test_a_failed_build_is_not_ready_to_load(stores: SharedStores) -> None:
    recipe = stores.recipe(Probe(fails_with=OSError("away")))
    await KnowledgeBase.create(recipe=recipe, name="house", on_error="record")
    with pytest.raises(
        KnowledgeBaseNotReadyError, match=r"knowledge base is not ready to load: house \(status=failed\)"
    ):
        await KnowledgeBase.load(recipe=recipe, name="house")


async def test_a_second_build_of_the_same_name_at_once_is_told_who_builds(stores: SharedStores) -> None:
    entered, leave = asyncio.Event(), asyncio.Event()

    class Waits(Probe):
        async def run(self, context: Any) -> None:
            entered.set()
            await leave.wait()
            context.set_artifact(self.name, "done")

    build = asyncio.create_task(KnowledgeBase.create(recipe=stores.recipe(Waits()), name="house"))
    await entered.wait()
    with pytest.raises(
        KnowledgeBaseBusyError, match="knowledge base 'house' is being built, updated or deleted by process"
    ):
        await KnowledgeBase.create(recipe=stores.recipe(Probe()), name="house")
    leave.set()
    kb = await build
    assert all((await found(kb)).values())


async def test_a_build_that_another_has_taken_over_stops_at_its_next_step(stores: SharedStores) -> None:
    runtime = KnowledgeBaseRuntime("house")

    class TakesOver(Probe):
        async def run(self, context: Any) -> None:
            other = Lease(stores.objects, runtime)
            await stores.objects.delete(runtime.lease_key)
            await other.acquire()

    after = Probe("after")
    with pytest.raises(KnowledgeBaseBusyError):
        await KnowledgeBase.create(recipe=stores.recipe(TakesOver(), after), name="house")
    assert after.runs == 0


@pytest.mark.parametrize("change", ["altered", "added", "gone"])
async def test_raw_documents_that_changed_since_a_build_failed_are_read_again(tmp_path: Path, change: str) -> None:
    stores = SharedStores(tmp_path)
    await stores.put()
    failing = Probe(fails_with=OSError("away"))
    await KnowledgeBase.create(recipe=stores.recipe(failing), name="house", on_error="record")
    if change == "gone":
        await stores.objects.delete("raw/lantern.txt")
    else:
        key = "raw/lantern.txt" if change == "altered" else "raw/well.txt"
        await stores.objects.put(key, b"The well is nine fathoms deep.")
    failing.fails_with = None
    kb = await KnowledgeBase.create(recipe=stores.recipe(failing), name="house")
    fresh = await KnowledgeBase.create(recipe=stores.recipe(), name="fresh")
    assert [text for _, text in (await contents(kb))["chunks"]] == [
        text for _, text in (await contents(fresh))["chunks"]
    ]
