"""Building: what is made, what is written down, and how a failure tells where and why."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from tiny_recipes import TEXTS, Probe, SharedStores, TinyEmbedding, document_ids, found

from heta_framework.kb import (
    KnowledgeBase,
    KnowledgeBaseAlreadyExistsError,
    KnowledgeBaseBuilder,
    KnowledgeBaseBuilderConfig,
    KnowledgeBaseRuntime,
    KnowledgeBuildError,
    KnowledgeRecipe,
    KnowledgeStores,
    RecipeValidationError,
    StepError,
)
from heta_framework.kb.lifecycle.sealed_json import unseal

pytestmark = pytest.mark.anyio


@pytest.fixture
async def stores(tmp_path: Path) -> SharedStores:
    stores = SharedStores(tmp_path)
    await stores.put()
    return stores


async def test_a_build_ends_with_a_knowledge_base_that_answers(stores: SharedStores) -> None:
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house", description="a house", metadata={"a": "b"})
    assert kb.run_record.status == "succeeded"
    assert [step.status for step in kb.run_record.step_records] == ["succeeded"] * 5
    assert kb.available_queries >= {"vector_search", "full_text_search"}
    best = {mode: hits[0][0] for mode, hits in (await found(kb)).items()}
    harbour = next(entry.document_id for entry in await kb.documents() if entry.name == "harbour.txt")
    assert best == {"vector_search": harbour, "full_text_search": harbour}


async def test_the_files_of_a_run_say_what_became_of_it(stores: SharedStores) -> None:
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="my-house", initial_artifacts={"thing": object()})
    runtime = KnowledgeBaseRuntime("my-house")
    run_id = kb.run_record.run_id
    assert await stores.keys("_heta/knowledge_bases/") == sorted(
        [runtime.latest_run_key, runtime.manifest_key, runtime.record_key(run_id), runtime.state_key(run_id)]
    )
    files = {key: unseal(await stores.objects.get(key)) for key in await stores.keys("_heta/knowledge_bases/")}
    assert files[runtime.latest_run_key] == {
        "run_id": run_id,
        "state_key": f"_heta/knowledge_bases/my-house/runs/{run_id}/state.json",
        "record_key": f"_heta/knowledge_bases/my-house/runs/{run_id}/record.json",
        "status": "succeeded",
        "name": "my-house",
    }
    assert "thing" not in files[runtime.state_key(run_id)]["artifacts"]
    record = files[runtime.record_key(run_id)]
    assert record["artifacts"]["thing"] == {"type": "object", "manifest_note": "runtime artifact omitted"}
    assert files[runtime.manifest_key]["run_record"] == record
    assert files[runtime.manifest_key]["recipe"]["steps"][0]["name"] == "parse_documents"


async def test_a_failed_build_raises_with_the_step_the_document_and_the_cause(stores: SharedStores) -> None:
    cause = StepError("cannot be read", document="raw/orchard.txt")
    with pytest.raises(
        KnowledgeBuildError, match=r"step .probe. failed at .raw/orchard\.txt.: StepError: cannot"
    ) as caught:
        await KnowledgeBase.create(recipe=stores.recipe(Probe(fails_with=cause)), name="house")
    error = caught.value
    assert (error.step, error.document, error.__cause__) == ("probe", "raw/orchard.txt", cause)
    assert error.run_record is not None
    assert error.run_record.status == "failed"
    assert error.run_record.step_records[-1].error == "StepError: cannot be read"


async def test_a_failed_build_can_be_recorded_instead(stores: SharedStores) -> None:
    recipe = stores.recipe(Probe(fails_with=OSError("disk full")))
    kb = await KnowledgeBase.create(recipe=recipe, name="house", on_error="record")
    assert kb.run_record.status == "failed"
    assert kb.run_record.step_records[-1].error == "OSError: disk full"
    assert kb.run_record.capabilities.queries == {"vector_search", "full_text_search"}
    with pytest.raises(ValueError, match="on_error must be 'raise' or 'record', found 'ignore'"):
        await KnowledgeBase.create(recipe=recipe, name="house", on_error="ignore")  # type: ignore[arg-type]


async def test_what_a_document_could_not_give_is_an_issue_of_step_run_and_manifest(stores: SharedStores) -> None:
    await stores.objects.put("raw/picture.xyz", b"\x00\x01")
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    issue = next(issue for issue in kb.run_record.issues if issue.subject.id == "raw/picture.xyz")
    assert issue in kb.run_record.step_records[0].issues
    reopened = await KnowledgeBase.load(recipe=stores.recipe(), name="house")
    assert issue in reopened.manifest().run_record.issues


async def test_an_invalid_recipe_never_runs(stores: SharedStores) -> None:
    step = Probe(needs=["nothing"])
    with pytest.raises(RecipeValidationError, match="step 5 'probe' requires unavailable artifact: nothing"):
        await KnowledgeBase.create(recipe=stores.recipe(step), name="house")
    assert step.runs == 0
    assert await stores.keys("_heta/") == []


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        (3, TypeError, "must be a string"),
        ("  ", ValueError, "must not be empty"),
        ("a" * 81, ValueError, "at most 80 characters"),
        ("a/b", ValueError, "only letters, numbers, spaces, underscores, or hyphens"),
        ("..", ValueError, "only letters, numbers"),
    ],
)
async def test_names_that_no_store_could_keep_are_refused(
    stores: SharedStores, name: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        await KnowledgeBase.create(recipe=stores.recipe(), name=name)


async def test_names_that_differ_in_case_space_or_hyphen_are_different_knowledge_bases(stores: SharedStores) -> None:
    names = ("Marine KB", "marine kb", "marine-kb", "marine_kb", "MARINE KB")
    built = {}
    for number, name in enumerate(names):
        await stores.objects.put(f"raw/only_{number}.txt", f"Only {name} holds word{number}.".encode())
        inputs = {"source_keys": (f"raw/only_{number}.txt",)}
        built[name] = await KnowledgeBase.create(recipe=stores.recipe(), name=name, initial_artifacts=inputs)
    assert len({KnowledgeBaseRuntime(name).safe_name for name in names}) == len(names)
    for name, kb in built.items():
        reopened = await KnowledgeBase.load(recipe=stores.recipe(), name=name)
        assert await found(reopened) == await found(kb)
        assert len(await document_ids(reopened)) == 1
    await built["Marine KB"].delete()
    assert await found(await KnowledgeBase.load(recipe=stores.recipe(), name="marine kb"))


@pytest.mark.parametrize(
    ("name", "folder"),
    [("house", "house"), ("my-kb_2", "my-kb_2"), ("Marine KB", r"marine_kb-[0-9a-f]{8}"), ("日本", r"kb-[0-9a-f]{8}")],
)
def test_the_folder_is_the_name_where_the_name_is_plain(name: str, folder: str) -> None:
    assert re.fullmatch(folder, KnowledgeBaseRuntime(name).safe_name)


async def test_a_folder_of_another_exact_name_is_refused(stores: SharedStores) -> None:
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="House")
    for name in ("manifest.json", "latest_run.json"):
        data = await stores.objects.get(f"{KnowledgeBaseRuntime('House').prefix}/{name}")
        await stores.objects.put(f"{KnowledgeBaseRuntime('other').prefix}/{name}", data)
        with pytest.raises(ValueError, match="belongs to the knowledge base 'House', not to 'other'"):
            await KnowledgeBase.create(recipe=stores.recipe(), name="other")
        with pytest.raises(ValueError, match="belongs to the knowledge base 'House', not to 'other'"):
            await KnowledgeBase.load(recipe=stores.recipe(), name="other")
        await stores.objects.delete(f"{KnowledgeBaseRuntime('other').prefix}/{name}")
    assert kb.run_record.status == "succeeded"


async def test_a_finished_knowledge_base_is_not_built_over(stores: SharedStores) -> None:
    await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    with pytest.raises(KnowledgeBaseAlreadyExistsError, match="knowledge base already exists and succeeded: house"):
        await KnowledgeBase.create(recipe=stores.recipe(), name="house")


async def test_metadata_that_cannot_be_written_is_refused_before_the_work(stores: SharedStores) -> None:
    step = Probe()
    with pytest.raises(TypeError, match=r"metadata\['at'\] must be a value that JSON can hold, found object"):
        await KnowledgeBase.create(recipe=stores.recipe(step), name="house", metadata={"at": object()})  # type: ignore[dict-item]
    assert step.runs == 0


async def test_progress_begins_and_ends_with_every_step(stores: SharedStores) -> None:
    seen: list[tuple[str, int, int | None]] = []
    await KnowledgeBase.create(recipe=stores.recipe(Probe()), name="house", progress=lambda *said: seen.append(said))
    names = list(dict.fromkeys(step for step, _, _ in seen))
    assert names == [
        "parse_documents", "split_documents", "embed_chunks", "index_vectors", "index_full_text", "probe",
    ]  # fmt: skip
    for name in names:
        mine = [(done, total) for step, done, total in seen if step == name]
        assert mine[0] == (0, None)
        assert mine[-1][0] == mine[-1][1]


async def test_progress_of_what_is_done_chunk_by_chunk_says_of_how_many(stores: SharedStores) -> None:
    seen: list[tuple[str, int, int | None]] = []
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house", progress=lambda *said: seen.append(said))
    chunks = (await kb.overview()).chunks
    assert chunks > 1
    for name in ("embed_chunks", "index_vectors", "index_full_text"):
        totals = {total for step, _, total in seen if step == name}
        assert totals == {None, chunks}, name


async def test_builds_of_different_knowledge_bases_at_once_do_not_meet(stores: SharedStores) -> None:
    built: dict[str, KnowledgeBase] = {}

    async def build(number: int) -> None:
        keys = (f"raw/{number}.txt",)
        await stores.objects.put(keys[0], f"Room {number} holds thing{number}.".encode())
        built[str(number)] = await KnowledgeBase.create(
            recipe=stores.recipe(), name=f"room {number}", initial_artifacts={"source_keys": keys}
        )

    async with anyio.create_task_group() as group:
        for number in range(5):
            group.start_soon(build, number)
    for number, kb in built.items():
        answer = await kb.query("What does the room hold?", mode="vector_search")
        assert [hit.source["object_key"] for hit in answer.results] == [f"raw/{number}.txt"]


async def test_without_an_object_store_a_recipe_of_other_steps_still_builds() -> None:
    step = Probe()
    kb = await KnowledgeBase.create(recipe=KnowledgeRecipe(steps=(step,)), name="memory only")
    assert kb.run_record.artifacts["probe"] == "probe was here"
    with pytest.raises(ValueError, match="must satisfy ObjectStoreProtocol to load a KB"):
        await KnowledgeBase.load(recipe=kb.recipe, name="memory only")
    again = await kb.resume()
    assert [one.status for one in again.run_record.step_records] == ["skipped"]


async def test_a_builder_of_ones_own_may_go_on_after_an_error() -> None:
    first, second = Probe("first", fails_with=ValueError("no")), Probe("second")
    recipe = KnowledgeRecipe(stores=KnowledgeStores(), steps=(first, second))
    result = await KnowledgeBaseBuilder(KnowledgeBaseBuilderConfig(stop_on_error=False)).build(recipe)
    assert [step.status for step in result.record.step_records] == ["failed", "succeeded"]
    assert result.record.status == "failed"
    assert isinstance(result.failure, ValueError)
    assert result.artifacts == {"second": "second was here"}
    stopped = await KnowledgeBaseBuilder().build(recipe)
    assert [step.status for step in stopped.record.step_records] == ["failed"]


async def test_two_embedding_models_on_one_store_never_share_vectors(stores: SharedStores) -> None:
    models = [TinyEmbedding("tiny-16"), TinyEmbedding("other-16"), TinyEmbedding("tiny-8", dimension=8)]
    for model in models:
        kb = await KnowledgeBase.create(recipe=stores.recipe(model=model), name=model.model_name)
        assert set(TEXTS.values()) <= set(model.embedded)
        assert (await kb.query("orchard", mode="vector_search")).results


async def test_two_documents_of_equal_text_are_both_retrievable(stores: SharedStores) -> None:
    await stores.objects.put("raw/copy.txt", TEXTS["raw/orchard.txt"].encode())
    model = TinyEmbedding()
    kb = await KnowledgeBase.create(recipe=stores.recipe(model=model), name="house")
    for mode in ("vector_search", "full_text_search"):
        hits = (await kb.query("apple trees in the orchard", mode=mode, top_k=2)).results
        assert {hit.source["object_key"] for hit in hits} == {"raw/orchard.txt", "raw/copy.txt"}
    assert model.embedded.count(TEXTS["raw/orchard.txt"]) == 1


@pytest.mark.parametrize(
    ("does", "told"),
    [
        (lambda context: context.set_artifact(3, "x"), "the key of an artifact must be text, found 3"),
        (lambda context: context.report("it rains"), r"report\(\) takes a StepIssue, found str"),
    ],
    ids=["artifact", "issue"],
)
async def test_what_a_step_of_ones_own_gives_wrongly_is_that_steps_failure(
    stores: SharedStores, does: Callable[[Any], None], told: str
) -> None:
    class Wrong(Probe):
        async def run(self, context: Any) -> None:
            does(context)

    with pytest.raises(KnowledgeBuildError, match=f"step 'probe' failed: TypeError: {told}"):
        await KnowledgeBase.create(recipe=stores.recipe(Wrong()), name="house")
