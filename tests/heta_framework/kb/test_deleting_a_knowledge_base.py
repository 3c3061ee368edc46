"""Deleting: everything that was made goes; raw documents, reports and other knowledge bases stay."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tiny_recipes import TEXTS, Probe, SharedStores, contents

from heta_framework.common.stores import InMemoryVectorStore, SQLStore
from heta_framework.kb import (
    CleanupTarget,
    KnowledgeBase,
    KnowledgeBaseNotFoundError,
    KnowledgeBaseRuntime,
    PersistChunks,
    StepCleanupPlan,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
async def stores(tmp_path: Path) -> SharedStores:
    stores = SharedStores(tmp_path)
    await stores.put()
    return stores


class Plans(Probe):
    """A step that plans to delete what it is told."""

    def __init__(self, *targets: CleanupTarget) -> None:
        super().__init__()
        self._targets = targets

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        return StepCleanupPlan(self._targets)


async def test_a_dry_run_says_what_would_go_and_deletes_nothing(stores: SharedStores) -> None:
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    before, keys = await contents(kb), await stores.keys()
    planned = await kb.delete(dry_run=True)
    assert planned.dry_run
    assert planned.targets == kb.delete_plan().targets
    assert (planned.deleted_object_keys, planned.dropped_vector_collections) == ((), ())
    assert (await stores.keys(), await contents(kb)) == (keys, before)


async def test_everything_that_was_made_goes_and_raw_documents_stay(stores: SharedStores, tmp_path: Path) -> None:
    sql = SQLStore(f"sqlite:///{tmp_path / 'chunks.db'}")
    kb = await KnowledgeBase.create(recipe=stores.recipe(PersistChunks(), sql=sql), name="house")
    plan = kb.delete_plan()
    kinds = [target.kind for target in plan.targets]
    order = ["vector_collection", "sql_table", "text_index", "object_key", "runtime_prefix"]
    assert list(dict.fromkeys(kinds)) == order
    assert plan.runtime_prefixes[-1] == "_heta/knowledge_bases/house"
    assert all(name.endswith(f"__{kb.run_record.artifacts['kb_namespace']}") for name in plan.vector_collections)
    result = await kb.delete()
    assert result.issues == ()
    assert result.dropped_vector_collections == plan.vector_collections
    assert result.dropped_text_indexes == plan.text_indexes
    assert result.dropped_sql_tables == plan.sql_tables
    left = await stores.keys()
    assert [key for key in left if not key.startswith("_heta/cache/")] == sorted(TEXTS)
    assert not await stores.vector.has_collection(plan.vector_collections[0])
    assert await sql.fetch_all("SELECT name FROM sqlite_master WHERE name LIKE '%house%'") == []
    await sql.aclose()


async def test_after_it_the_name_can_be_created_again(stores: SharedStores) -> None:
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    before = await contents(kb)
    await kb.delete()
    with pytest.raises(KnowledgeBaseNotFoundError):
        await KnowledgeBase.load(recipe=stores.recipe(), name="house")
    again = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    assert again.run_record.run_id != kb.run_record.run_id
    assert await contents(again) == before
    assert (await again.delete()).issues == ()
    assert (await again.delete()).issues == ()  # what is gone already is no trouble


@pytest.mark.parametrize("name", ["house", "my-house", "My House"])
async def test_evaluation_reports_survive_the_deletion(stores: SharedStores, name: str) -> None:
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name=name)
    report = f"{KnowledgeBaseRuntime(name).prefix}/evaluations/e1/report.json"
    await stores.objects.put(report, b"{}")
    await kb.delete(purge=True)
    assert await stores.keys("_heta/") == [report]
    await KnowledgeBase.create(recipe=stores.recipe(), name=name)
    assert await stores.objects.get(report) == b"{}"


async def test_a_step_cannot_plan_away_what_is_not_the_knowledge_bases_own(stores: SharedStores) -> None:
    other = await KnowledgeBase.create(recipe=stores.recipe(), name="other")
    cached = (await stores.keys("_heta/cache/"))[0]
    objects = ("raw/harbour.txt", cached)
    folders = ("raw", "raw/", "", "_heta", "_heta/cache/", "_heta/cache/embed", "_heta/knowledge_bases")
    greedy = Plans(
        *(CleanupTarget("object_key", key) for key in objects),
        *(CleanupTarget("runtime_prefix", prefix) for prefix in folders),
    )
    kb = await KnowledgeBase.create(recipe=stores.recipe(greedy), name="house")
    before = await contents(other)
    assert not {*objects, *folders} & {target.value for target in kb.delete_plan().targets}
    await kb.delete()
    assert {*TEXTS, cached} <= set(await stores.keys())
    assert await contents(other) == before


async def test_what_cannot_be_deleted_is_an_issue_and_the_rest_goes(stores: SharedStores) -> None:
    class Refuses(InMemoryVectorStore):
        async def drop_collection(self, name: str) -> None:
            raise PermissionError("read only")

    stores.vector = Refuses()
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    result = await kb.delete()
    assert [(issue.target.kind, issue.message, issue.error_type) for issue in result.issues] == [
        ("vector_collection", "read only", "PermissionError")
    ]
    assert result.dropped_text_indexes
    assert await stores.keys("_heta/knowledge_bases/") == []


async def test_purge_forgets_what_no_other_knowledge_base_holds(stores: SharedStores) -> None:
    mine = await KnowledgeBase.create(recipe=stores.recipe(), name="mine")
    inputs = {"source_keys": ("raw/orchard.txt",)}
    theirs = await KnowledgeBase.create(recipe=stores.recipe(), name="theirs", initial_artifacts=inputs)
    await mine.delete(purge=True)
    kept = b"".join([await stores.objects.get(key) for key in await stores.keys("_heta/cache/")])
    entry = (await theirs.documents())[0]
    assert entry.parse_key.encode() in kept
    stores.restart()
    await KnowledgeBase.load(recipe=stores.recipe(), name="theirs")
    await theirs.delete(purge=True)
    assert await stores.keys("_heta/") == []
