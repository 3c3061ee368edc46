"""From text files to an answer: build a knowledge base, ask it, reopen it, extend it, delete it."""

import json
import tempfile
from typing import Any

from observing import lacking, refusal, scores, shape, steps, tell, texts
from offline_models import Scripted, WordCounts

from heta_framework.common.stores import InMemoryTextIndexStore, InMemoryVectorStore, LocalObjectStore
from heta_framework.kb import (
    DocumentParserRegistry,
    EmbedChunks,
    IndexFullText,
    IndexVectors,
    KnowledgeBase,
    KnowledgeBaseManifest,
    KnowledgeBaseRuntime,
    KnowledgeModels,
    KnowledgeParsers,
    KnowledgeRecipe,
    KnowledgeStores,
    ParseDocuments,
    QueryEngineRegistry,
    QueryRequest,
    QueryResponse,
    QueryTraceEvent,
    SearchAssetRef,
    SplitDocuments,
    SplitDocumentsConfig,
    StepCapabilities,
    StepCleanupPlan,
    StepIssue,
    StepRequirements,
    TextParser,
)

DOCUMENTS = {
    "raw/house/cellar.txt": (
        "The cellar holds forty bottles of cider. They came from the orchard behind the mill.\n"
        "A narrow stair leads down to it, and the light switch is on the left. "
        "In winter the cellar stays at eight degrees, so apples keep until March."
    ),
    "raw/house/attic.md": "# Attic\n\nThe violin lies in a red case under the window.\n\nBeside it stands a kettle.",
    "raw/garden.txt": "Bees live in three hives near the pond. The honey is taken in July, never later.",
    "raw/blank.txt": "",
}
QUESTION = "Where does the violin lie?"
ARTIFACTS = (
    "parsed_document_keys",
    "parse_documents_result",
    "document_token_counts",
    "chunk_keys",
    "split_documents_result",
    "chunk_embedding_keys",
    "embed_chunks_result",
    "index_vectors_result",
    "index_full_text_result",
)


class CountLongChunks:
    """A step of one's own: needs chunks, leaves a number."""

    name = "count_long_chunks"
    requirements = StepRequirements(artifacts=frozenset({"split_documents_result"}))
    capabilities = StepCapabilities(artifacts=frozenset({"chunk_count"}))

    async def run(self, context: Any) -> None:
        context.get_component("stores.objects")
        context.set_artifact("chunk_count", context.get_artifact("split_documents_result").chunk_count)

    def cleanup_plan(self, artifacts: Any) -> StepCleanupPlan:
        return StepCleanupPlan()


class SecondOpinion:
    """A query engine of one's own: asks two others."""

    mode = "second_opinion"
    required_assets = (SearchAssetRef("chunk_vector_index"), SearchAssetRef("chunk_full_text_index"))

    async def query(self, request: QueryRequest, context: Any) -> QueryResponse:
        by_words = await context.query("full_text_search", QueryRequest(request.text, top_k=1))
        by_vector = await context.query("vector_search", QueryRequest(request.text, top_k=1))
        agree = by_words.results[0].id == by_vector.results[0].id
        return QueryResponse(
            self.mode,
            results=by_words.results,
            answer="They agree." if agree else "They differ.",
            trace=(QueryTraceEvent("second_opinion", "asked both", {"asset": context.assets.assets[0].key}),),
        )


class AsksItself:
    """An engine that never comes to an end."""

    mode = "asks_itself"
    required_assets = ()

    async def query(self, request: QueryRequest, context: Any) -> QueryResponse:
        return await context.query(self.mode, request)


def make_recipe(objects: LocalObjectStore, model: Scripted | None) -> KnowledgeRecipe:
    return KnowledgeRecipe(
        models=KnowledgeModels(language=model, embedding=WordCounts()),
        stores=KnowledgeStores(objects=objects, vector=InMemoryVectorStore(), text_index=InMemoryTextIndexStore()),
        parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser()])),
        steps=(
            ParseDocuments(),
            SplitDocuments(SplitDocumentsConfig(encoding_name="unicode", chunk_size=90, overlap=15)),
            EmbedChunks(),
            IndexVectors(),
            IndexFullText(),
            CountLongChunks(),
        ),
        metadata={"made_for": "compatibility"},
    )


async def program() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        objects = LocalObjectStore(folder)
        for key, text in DOCUMENTS.items():
            await objects.put(key, text.encode())
        model = Scripted({"vector_search/answer_generation": "It lies in a red case [1]."})
        recipe = make_recipe(objects, model)
        kb = await KnowledgeBase.create(
            recipe=recipe,
            name="House and garden",
            description="What is where",
            metadata={"season": "winter"},
            initial_artifacts={"asked_by": "a test"},
        )
        return {
            "build": built(kb),
            "vector_search": await by_vector(kb),
            "full_text_search": await by_words(kb),
            "answers": await answers(kb, model),
            "refused questions": await refused_questions(kb),
            "own engines": await own_engines(recipe),
            "reopened": await reopened(kb, recipe, objects),
            "names": await names(recipe),
            "deleted": await deleted(kb, recipe, objects),
        }


def built(kb: KnowledgeBase) -> dict[str, Any]:
    record, artifacts = kb.run_record, kb.run_record.artifacts
    parsed, split, embedded = (
        artifacts[f"{name}_result"] for name in ("parse_documents", "split_documents", "embed_chunks")
    )
    return {
        "about": [kb.name, kb.description, dict(kb.metadata)],
        "status": record.status,
        "steps": steps(record),
        "errors": [step.error for step in record.step_records],
        "artifacts that lack": lacking(artifacts, (*ARTIFACTS, "asked_by", "chunk_count")),
        "inputs": {step.step_name: sorted(step.input_artifacts) for step in record.step_records},
        "outputs that lack": lacking(
            (name for step in record.step_records for name in step.output_artifacts), (*ARTIFACTS, "chunk_count")
        ),
        "queries": sorted(record.capabilities.queries),
        "counts": {
            "documents": split.document_count,
            "chunks": split.chunk_count,
            "embedded": [embedded.chunk_count, embedded.model_name, embedded.dimension],
            "vectors": artifacts["index_vectors_result"].indexed_count,
            "texts": artifacts["index_full_text_result"].indexed_count,
            "of_my_own_step": artifacts["chunk_count"],
            "documents with a count": len(parsed.document_token_counts),
        },
        "names": [artifacts["index_vectors_result"].collection, artifacts["index_full_text_result"].index_name],
        "skipped": list(parsed.skipped_keys),
        "issues": [issue.code for issue in record.issues if isinstance(issue, StepIssue)],
        "given": artifacts["asked_by"],
        "assets": [[asset.key, asset.store, shape(asset.metadata)] for asset in kb.search_assets.assets],
        "available": sorted(kb.available_queries),
    }


async def by_vector(kb: KnowledgeBase) -> dict[str, Any]:
    everything = await kb.query(QUESTION, mode="vector_search", top_k=50)
    best = await kb.query(QUESTION, mode="vector_search", top_k=2, trace=True)
    garden = await kb.query("honey in July", mode="vector_search", filters={"source_key": "raw/garden.txt"})
    by_name = await kb.query("honey in July", mode="vector_search", filters={"source_name": "cellar.txt"}, top_k=1)
    nothing = await kb.query("honey", mode="vector_search", filters={"source_name": "none.txt"})
    result = best.results[0]
    return {
        "texts": texts(everything),
        "scores": scores(everything),
        "first": [result.id, result.kind, {**result.source, "chunk_ids": list(result.source["chunk_ids"])}],
        "metadata of a result": shape(result.metadata),
        "embedding_model": result.metadata["embedding_model"],
        "metadata": dict(best.metadata),
        "trace": [[event.stage, shape(event.metadata)] for event in best.trace],
        "no trace unless asked": list(everything.trace),
        "citations": [[citation.id, citation.text, dict(citation.metadata)] for citation in best.citations],
        "cited": [citation.result_id for citation in best.citations] == [found.id for found in best.results],
        "filtered": [texts(garden), texts(by_name), texts(nothing)],
    }


async def by_words(kb: KnowledgeBase) -> dict[str, Any]:
    found = await kb.query("violin kettle", mode="full_text_search", top_k=1, trace=True)
    result = found.results[0]
    return {
        "best": texts(found),
        "rare words": texts(await kb.query("honey July", mode="full_text_search", top_k=1)),
        "nothing": texts(await kb.query("zeppelin", mode="full_text_search")),
        "filtered": texts(await kb.query("cellar", mode="full_text_search", filters={"source_name": "attic.md"})),
        "scores fall": scores(found) == sorted(scores(found), reverse=True),
        "source": shape(result.source),
        "metadata of a result": shape(result.metadata),
        "said": {name: result.metadata[name] for name in ("ranking", "retrieval_method", "search_asset", "index")},
        "metadata": dict(found.metadata),
        "trace": [[event.stage, shape(event.metadata)] for event in found.trace],
    }


async def answers(kb: KnowledgeBase, model: Scripted) -> dict[str, Any]:
    wanted = {"generate_answer": True}
    generated = await kb.query(QUESTION, mode="vector_search", top_k=2, options=wanted)
    model.replies["full_text_search/answer_generation"] = ""
    empty = await kb.query("violin", mode="full_text_search", top_k=2, options=wanted)
    model.replies["full_text_search/answer_generation"] = " \n"
    blank = await refusal(lambda: kb.query("violin", mode="full_text_search", options=wanted))
    without_model = KnowledgeBase.restore(manifest=kb.manifest(), recipe=make_recipe_without_model(kb.recipe))
    missing = await without_model.query(QUESTION, mode="vector_search", options=wanted)
    return {
        "generated": [generated.answer, generated.metadata["answer_generation"], generated.metadata["answer_model"]],
        "citations": [citation.id for citation in generated.citations],
        "empty": [empty.answer, empty.metadata["answer_generation"]],
        "blank": blank,
        "missing": [missing.answer, missing.metadata["answer_generation"]],
        "asked": list(model.asked),
    }


def make_recipe_without_model(recipe: KnowledgeRecipe) -> KnowledgeRecipe:
    models = KnowledgeModels(embedding=recipe.models.embedding)
    return KnowledgeRecipe(models=models, stores=recipe.stores, parsers=recipe.parsers, steps=recipe.steps)


async def refused_questions(kb: KnowledgeBase) -> dict[str, Any]:
    return {
        "no mode": await refusal(lambda: kb.query(QUESTION), word_for_word=True),
        "unknown mode": await refusal(lambda: kb.query(QUESTION, mode="telepathy"), word_for_word=True),
        "missing assets": await refusal(lambda: kb.query(QUESTION, mode="sql_text_search"), word_for_word=True),
        "blank": await refusal(lambda: kb.query("  ", mode="vector_search")),
        "blank mode": await refusal(lambda: kb.query(QUESTION, mode=" ")),
        "top_k": await refusal(lambda: kb.query(QUESTION, mode="vector_search", top_k=0)),
        "a request has its own mode": await refusal(
            lambda: kb.query(QueryRequest(QUESTION, mode="telepathy"), mode="vector_search")
        ),
    }


async def own_engines(recipe: KnowledgeRecipe) -> dict[str, Any]:
    engines = QueryEngineRegistry.defaults().register(SecondOpinion()).register(AsksItself())
    kb = await KnowledgeBase.load(recipe=recipe, name="House and garden", query_engines=engines)
    response = await kb.query("violin", mode="second_opinion")
    return {
        "available": sorted(kb.available_queries & {"second_opinion", "asks_itself", "vector_search"}),
        "response": [response.mode, response.answer, texts(response), [event.stage for event in response.trace]],
        "asset": dict(response.trace[0].metadata),
        "in circles": await refusal(lambda: kb.query("violin", mode="asks_itself"), word_for_word=True),
        "not an engine": await refusal(lambda: engines.register(object())),
        "twice": await refusal(lambda: engines.register(SecondOpinion())),
        "unknown": await refusal(lambda: engines.get("telepathy")),
        "found": [engines.find("telepathy") is None, engines.find("vector_search") is not None],
    }


async def reopened(kb: KnowledgeBase, recipe: KnowledgeRecipe, objects: LocalObjectStore) -> dict[str, Any]:
    again = await KnowledgeBase.load(recipe=recipe, name=kb.name)
    manifest = json.loads(json.dumps(kb.manifest().to_dict()))
    restored = KnowledgeBase.restore(manifest=KnowledgeBaseManifest.from_dict(manifest), recipe=recipe)
    resumed = await again.resume()
    same = [texts(await one.query(QUESTION, mode="vector_search", top_k=3)) for one in (kb, again, restored, resumed)]
    recorded = await objects.get(KnowledgeBaseRuntime(kb.name).manifest_key)
    return {
        "same": same[0] if all(found == same[0] for found in same) else same,
        "about": [again.name, again.description, dict(again.metadata), again.created_at == kb.created_at],
        "run": [again.run_record.status, again.run_record.run_id == kb.run_record.run_id],
        "manifest": [sorted(manifest), sorted(manifest["recipe"]), sorted(manifest["run_record"])],
        "omitted": manifest["run_record"]["artifacts"]["split_documents_result"],
        "recipe": [manifest["recipe"][key] for key in ("component_refs", "artifacts_required", "metadata")],
        "capabilities": manifest["recipe"]["capabilities_provided"],
        "recorded": json.loads(recorded)["name"],
    }


async def names(recipe: KnowledgeRecipe) -> dict[str, Any]:
    def create(name: Any) -> Any:
        return lambda: KnowledgeBase.create(recipe=recipe, name=name)

    empty = KnowledgeRecipe(models=KnowledgeModels(), stores=KnowledgeStores(), parsers=KnowledgeParsers())
    return {
        "taken": await refusal(create("House and garden"), word_for_word=True),
        "blank": await refusal(create(" ")),
        "slash": await refusal(create("house/garden")),
        "long": await refusal(create("h" * 81)),
        "number": await refusal(create(7)),
        "unknown": await refusal(lambda: KnowledgeBase.load(recipe=recipe, name="Barn")),
        "no object store": await refusal(lambda: KnowledgeBase.load(recipe=empty, name="Barn")),
        "differs in case": await refusal(create("house AND garden")),
    }


async def deleted(kb: KnowledgeBase, recipe: KnowledgeRecipe, objects: LocalObjectStore) -> dict[str, Any]:
    plan = kb.delete_plan()
    dry = await kb.delete(dry_run=True)
    still = await kb.query(QUESTION, mode="vector_search", top_k=1)
    done = await kb.delete()
    left = [info.key for info in await objects.list()]
    return {
        "plan": sorted({target.kind for target in plan.targets}),
        "planned": [len(plan.vector_collections), len(plan.text_indexes), len(plan.sql_tables)],
        "runtime": KnowledgeBaseRuntime(kb.name).prefix in plan.runtime_prefixes,
        "dry": [dry.dry_run, len(dry.targets) == len(plan.targets), list(dry.deleted_object_keys), texts(still)],
        "done": [done.dry_run, set(done.deleted_object_keys) == set(plan.object_keys), list(done.issues)],
        "dropped": [done.dropped_vector_collections == plan.vector_collections, len(done.dropped_text_indexes)],
        "raw documents stay": [key for key in left if key.startswith("raw/")],
        "of the knowledge base": [key for key in left if key.startswith(f"{KnowledgeBaseRuntime(kb.name).prefix}/")],
        "loaded": await refusal(lambda: KnowledgeBase.load(recipe=recipe, name=kb.name)),
        "asked": await refusal(lambda: kb.query(QUESTION, mode="vector_search")),
    }


if __name__ == "__main__":
    tell(program)
