"""Vectors beside text in SQL, in stores and under names of one's own, and builds that go wrong."""

import math
import tempfile
from typing import Any

from observing import refusal, scores, shape, steps, tell, texts
from offline_models import WordCounts

from heta_framework.common.stores import (
    InMemoryVectorStore,
    LocalObjectStore,
    SQLStore,
)
from heta_framework.kb import (
    ChunkTableNames,
    ChunkVectorCollections,
    DocumentParserRegistry,
    EmbedChunks,
    EmbedChunksConfig,
    IndexVectors,
    IndexVectorsConfig,
    KnowledgeBase,
    KnowledgeBaseBuilder,
    KnowledgeBaseBuilderConfig,
    KnowledgeModels,
    KnowledgeParsers,
    KnowledgeRecipe,
    KnowledgeStores,
    ParsedDocument,
    ParseDocuments,
    ParseDocumentsConfig,
    ParsedPage,
    PersistChunks,
    PersistChunksConfig,
    QueryResponse,
    SplitDocuments,
    SplitDocumentsConfig,
    StepCapabilities,
    StepCleanupPlan,
    StepRequirements,
    TextParser,
    make_document_id,
)

RECIPES = {
    "raw/soup.txt": "Leek soup wants leeks, potatoes and cream. Simmer it for thirty minutes.",
    "raw/bread.txt": "Rye bread wants rye flour, water and salt. Bake it for fifty minutes.",
    "raw/percent.txt": "Use 100% rye flour. The under_score is a mark.",
    "raw/notes.pages": "not a type that a text parser reads",
}


class Stumbles:
    """A step that fails the first time it runs."""

    name = "stumbles"
    requirements = StepRequirements(artifacts=frozenset({"chunk_keys"}))
    capabilities = StepCapabilities()

    def __init__(self) -> None:
        self.runs = 0

    async def run(self, context: Any) -> None:
        self.runs += 1
        if self.runs == 1:
            raise RuntimeError("the oven is cold")

    def cleanup_plan(self, artifacts: Any) -> StepCleanupPlan:
        return StepCleanupPlan()


class UpperCaseParser:
    """A parser of one's own, for a file type of one's own."""

    supported_file_types = frozenset({"pages"})

    async def parse(self, source: Any, data: bytes) -> ParsedDocument:
        pages = [ParsedPage(number, text.upper()) for number, text in enumerate(data.decode().split("\f"))]
        return ParsedDocument(make_document_id(source.content_sha256), source, pages)


class SignedTextParser(TextParser):
    """A parser of the package with something of one's own."""

    async def parse(self, source: Any, data: bytes) -> ParsedDocument:
        document = await super().parse(source, data)
        pages = [ParsedPage(page.page_index, f"{page.text} Signed: K.") for page in document.pages]
        return ParsedDocument(document.document_id, document.source, pages)


def make_recipe(folder: str, *steps: Any) -> KnowledgeRecipe:
    stores = KnowledgeStores(
        objects=LocalObjectStore(f"{folder}/objects"),
        sql=SQLStore(f"sqlite:///{folder}/chunks.db"),
        named={"vector.dot": InMemoryVectorStore()},
    )
    small = WordCounts("small", 48)
    return KnowledgeRecipe(
        models=KnowledgeModels(embedding=small, named={"embedding.small": small}),
        stores=stores,
        parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser()])),
        steps=steps or default_steps(),
    )


def default_steps() -> tuple[Any, ...]:
    return (
        ParseDocuments(ParseDocumentsConfig(raw_prefix="raw")),
        SplitDocuments(SplitDocumentsConfig(encoding_name="unicode", chunk_size=60, overlap=0)),
        EmbedChunks(EmbedChunksConfig(batch_size=2, embedding_model="small")),
        IndexVectors(
            IndexVectorsConfig(
                collection_names=ChunkVectorCollections(chunks="dishes"), metric="dot", vector_store="dot", batch_size=3
            )
        ),
        PersistChunks(
            PersistChunksConfig(table_names=ChunkTableNames(chunks="dishes"), chunk_keys_artifact="chunk_keys")
        ),
    )


async def program() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        recipe = make_recipe(folder)
        for key, text in RECIPES.items():
            await recipe.stores.objects.put(key, text.encode())
        kb = await KnowledgeBase.create(recipe=recipe, name="kitchen")
        return {
            "build": built(kb),
            "vector_search": await by_vector(kb),
            "sql_text_search": await by_text(kb),
            "deleted": await deleted(kb),
            "own parser": await own_parser(folder),
            "failing build": await failing_build(folder),
            "strict parsing": await strict_parsing(folder),
            "builder": await with_builder(folder),
            "two of them": await two_of_them(),
            "equal texts": await equal_texts(),
            "not a number": await not_a_number(),
            "another model": await another_model(),
        }


def built(kb: KnowledgeBase) -> dict[str, Any]:
    artifacts = kb.run_record.artifacts
    return {
        "steps": steps(kb.run_record),
        "persisted": [artifacts["persist_chunks_result"].table, artifacts["persist_chunks_result"].chunk_count],
        "indexed": [artifacts["index_vectors_result"].collection, artifacts["index_vectors_result"].dimension],
        "skipped": list(artifacts["parse_documents_result"].skipped_keys),
        "issues": [[issue.code, issue.subject.id] for issue in kb.run_record.issues],
        "assets": [[asset.key, asset.store, shape(asset.metadata)] for asset in kb.search_assets.assets],
        "components": sorted(ref.key for step in kb.recipe.steps for ref in step.requirements.components),
    }


async def by_vector(kb: KnowledgeBase) -> dict[str, Any]:
    found = await kb.query("rye flour", mode="vector_search", top_k=2)
    everything = await kb.query("rye flour", mode="vector_search", top_k=20)
    return {
        "texts": texts(found),
        "scores": scores(found),
        "all": sorted(texts(everything)),
        "collection": found.metadata["collection"],
    }


async def by_text(kb: KnowledgeBase) -> dict[str, Any]:
    async def ask(text: str, **more: Any) -> QueryResponse:
        return await kb.query(text, mode="sql_text_search", **more)

    phrase = await ask("rye flour", trace=True)
    return {
        "a phrase": texts(phrase),
        "a question": texts(await ask("How long must rye bread be baked?", top_k=1)),
        "a percent sign": texts(await ask("100%")),
        "an underscore": texts(await ask("under_score")),
        "only a wildcard": texts(await ask("%")),
        "nothing": texts(await ask("submarine")),
        "an apostrophe": texts(await ask("O'Brien\" OR 1=1 --")),
        "scores fall": scores(phrase) == sorted(scores(phrase), reverse=True),
        "source": shape(phrase.results[0].source),
        "metadata of a result": shape(phrase.results[0].metadata),
        "metadata": {**phrase.metadata},
        "trace": [[event.stage, shape(event.metadata)] for event in phrase.trace],
    }


async def deleted(kb: KnowledgeBase) -> dict[str, Any]:
    plan, done = kb.delete_plan(), await kb.delete()
    return {
        "plan": sorted({(target.kind, target.component) for target in plan.targets}),
        "tables": [done.dropped_sql_tables == plan.sql_tables, len(done.dropped_sql_tables) >= 1],
        "collections": [done.dropped_vector_collections == plan.vector_collections, list(done.issues)],
    }


async def own_parser(folder: str) -> dict[str, Any]:
    recipe = make_recipe(folder)
    recipe.parsers.documents.register(UpperCaseParser()).register(SignedTextParser(), replace=True)
    await recipe.stores.objects.put("raw/notes.pages", b"one page\fanother page")
    kb = await KnowledgeBase.create(recipe=recipe, name="own parser")
    found = await kb.query("another page", mode="vector_search", filters={"source_file_type": "pages"})
    return {
        "texts": texts(found),
        "signed": texts(await kb.query("Signed", mode="vector_search", filters={"source_key": "raw/bread.txt"}))[:1],
        "pages": [result.source["page_index"] for result in found.results],
        "indices": [result.source["chunk_index"] for result in found.results],
        "skipped": list(kb.run_record.artifacts["parse_documents_result"].skipped_keys),
    }


async def failing_build(folder: str) -> dict[str, Any]:
    parse, split, embed, index, _ = default_steps()
    recipe = make_recipe(folder, parse, split, Stumbles(), embed, index)
    first = await refusal(lambda: KnowledgeBase.create(recipe=recipe, name="oven"))
    not_ready = await refusal(lambda: KnowledgeBase.load(recipe=recipe, name="oven"))
    kb = await KnowledgeBase.create(recipe=recipe, name="oven")
    return {
        "first": first,
        "loaded": not_ready,
        "second": kb.run_record.status,
        "steps in the end": {record.step_name: record.status for record in kb.run_record.step_records},
        "answers": texts(await kb.query("rye flour", top_k=1)),
    }


async def strict_parsing(folder: str) -> dict[str, Any]:
    _, *others = default_steps()
    recipe = make_recipe(folder, ParseDocuments(ParseDocumentsConfig(skip_unsupported=False)), *others)
    await recipe.stores.objects.put("raw/strange.xyz", b"?")
    outcome = await refusal(lambda: KnowledgeBase.create(recipe=recipe, name="strict"))
    await recipe.stores.objects.delete("raw/strange.xyz")
    return {"refused": outcome}


async def with_builder(folder: str) -> dict[str, Any]:
    recipe = make_recipe(folder)
    result = await KnowledgeBaseBuilder(KnowledgeBaseBuilderConfig()).build(recipe)
    config = KnowledgeBaseBuilderConfig()
    return {
        "status": result.record.status,
        "steps": steps(result.record),
        "queries": sorted(result.capabilities.queries),
        "defaults": [config.stop_on_error, config.skip_succeeded_steps],
        "artifacts": sorted(result.artifacts) == sorted(result.record.artifacts),
    }


def two_stores(folder: str, **parts: Any) -> KnowledgeRecipe:
    return KnowledgeRecipe(
        models=KnowledgeModels(embedding=parts.get("embedding", WordCounts())),
        stores=KnowledgeStores(objects=LocalObjectStore(folder), vector=parts.get("vector", InMemoryVectorStore())),
        parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser()])),
        steps=(
            ParseDocuments(),
            SplitDocuments(SplitDocumentsConfig(encoding_name="unicode")),
            EmbedChunks(),
            IndexVectors(),
        ),
    )


async def two_of_them() -> dict[str, Any]:
    """Two knowledge bases on the same stores, each of its own documents."""
    with tempfile.TemporaryDirectory() as folder:
        recipe = two_stores(folder)
        await recipe.stores.objects.put("raw/a.txt", b"a red apple")
        await recipe.stores.objects.put("raw/b.txt", b"a blue boat")
        one = await KnowledgeBase.create(recipe=recipe, name="one", initial_artifacts={"source_keys": ("raw/a.txt",)})
        two = await KnowledgeBase.create(recipe=recipe, name="two", initial_artifacts={"source_keys": ("raw/b.txt",)})
        seen = {"one": texts(await one.query("a boat")), "two": texts(await two.query("a boat"))}
        await one.delete()
        left = await refusal(lambda: two.query("a boat"))
        return seen | {"after one is deleted, two is": left}


async def equal_texts() -> dict[str, Any]:
    """Two documents that say the same."""
    with tempfile.TemporaryDirectory() as folder:
        recipe = two_stores(folder)
        await recipe.stores.objects.put("raw/a.txt", b"the same words")
        await recipe.stores.objects.put("raw/b.txt", b"the same words")
        built = await refusal(lambda: KnowledgeBase.create(recipe=recipe, name="twins"))
        keys = []
        if built == "accepted":
            kb = await opened(recipe, "twins")
            found = (await kb.query("same words")).results if kb else ()
            keys = sorted(result.source["object_key"] for result in found)
        return {"built": built, "found": keys}


async def opened(recipe: KnowledgeRecipe, name: str) -> KnowledgeBase | None:
    try:
        return await KnowledgeBase.load(recipe=recipe, name=name)
    except RuntimeError:
        return None


async def not_a_number() -> dict[str, Any]:
    """A model that answers NaN for one of the documents."""

    class Broken(WordCounts):
        def vector(self, text: str) -> list[float]:
            return [math.nan] * self.dimension if "broken" in text else super().vector(text)

    with tempfile.TemporaryDirectory() as folder:
        recipe = two_stores(folder, embedding=Broken())
        await recipe.stores.objects.put("raw/a.txt", b"a broken cup")
        await recipe.stores.objects.put("raw/b.txt", b"a whole cup")
        built = await refusal(lambda: KnowledgeBase.create(recipe=recipe, name="cups"))
        kb = await opened(recipe, "cups")
        if kb is None:
            return {"built": built}
        numbers = [result.score for result in (await kb.query("a whole cup")).results]
        return {"built": built, "scores are numbers": [math.isfinite(number) for number in numbers]}


async def another_model() -> dict[str, Any]:
    """Two recipes on one object store, each with an embedding model of its own."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = WordCounts("first"), WordCounts("second")
        for name, model in (("one", first), ("two", second)):
            recipe = two_stores(folder, embedding=model)
            await recipe.stores.objects.put("raw/a.txt", b"a red apple")
            kb = await KnowledgeBase.create(recipe=recipe, name=name)
        best = (await kb.query("apple")).results[0]
        return {"embedded": [len(first.embedded), len(second.embedded) - 1], "by": best.metadata["embedding_model"]}


if __name__ == "__main__":
    tell(program)
