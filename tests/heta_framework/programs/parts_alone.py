"""Every part by itself: components, recipes, values, parsers, and the five kinds of stores."""

import math
import tempfile
from typing import Any

from observing import refusal, tell

from heta_framework.common.stores import (
    GraphEdge,
    GraphNode,
    InMemoryGraphStore,
    InMemoryTextIndexStore,
    InMemoryVectorStore,
    LocalObjectStore,
    SQLStore,
    TextIndexConfig,
    TextIndexRecord,
    TextQuery,
    VectorCollectionConfig,
    VectorQuery,
    VectorRecord,
)
from heta_framework.kb import (
    ComponentRef,
    DocumentParserRegistry,
    EmbedChunks,
    EmbedChunksConfig,
    IndexVectorsConfig,
    KnowledgeBase,
    KnowledgeModels,
    KnowledgeParsers,
    KnowledgeRecipe,
    KnowledgeStores,
    MissingComponentError,
    ParsedDocument,
    ParsedPage,
    PersistChunksConfig,
    QueryRequest,
    QueryResponse,
    QueryResult,
    RecipeValidationError,
    SearchAsset,
    SearchAssetCollection,
    SearchAssetRef,
    SplitDocuments,
    SplitDocumentsConfig,
    TextParser,
    compute_content_sha256,
    make_document_id,
    make_parsed_source,
    model_ref,
    parser_ref,
    store_ref,
)


async def program() -> dict[str, Any]:
    return {
        "validation": await validation(),
        "components": await components(),
        "assets": await assets(),
        "values": await values(),
        "settings": await settings(),
        "parsing": await parsing(),
        "objects": await objects(),
        "vectors": await vectors(),
        "text index": await text_index(),
        "sql": await sql(),
        "graph": await graph(),
    }


async def validation() -> dict[str, Any]:
    bare = KnowledgeRecipe(
        models=KnowledgeModels(),
        stores=KnowledgeStores(),
        parsers=KnowledgeParsers(),
        steps=(SplitDocuments(), SplitDocuments(), EmbedChunks()),
    )
    result = bare.validate()
    given = bare.validate(initial_artifacts=("parsed_document_keys",))
    try:
        bare.require_valid()
    except RecipeValidationError as error:
        attached = [issue.code for issue in error.result.errors]
    return {
        "issues": [
            [issue.severity, issue.code, issue.step_index, issue.step_name, dict(issue.details)]
            for issue in result.issues
        ],
        "valid": [result.valid, given.valid, len(result.errors), len(result.warnings)],
        "with an artifact given": sorted({issue.code for issue in given.errors}),
        "attached": attached,
        "created": await refusal(lambda: KnowledgeBase.create(recipe=bare, name="bare")),
        "steps": [step.name for step in bare.expanded_steps()],
        "manifest": sorted(bare.manifest().to_dict()),
    }


async def components() -> dict[str, Any]:
    models = KnowledgeModels(language="L", named={"language.big": "B", "small": "S"})
    recipe = KnowledgeRecipe(models=models, stores=KnowledgeStores(), parsers=KnowledgeParsers())
    refs = [model_ref("language"), model_ref("language", "big"), model_ref("language", "small")]
    return {
        "keys": [
            ref.key for ref in (*refs, store_ref("objects"), store_ref("sql", "x"), parser_ref(), parser_ref("p"))
        ],
        "found": [models.get(ref) for ref in refs],
        "through the recipe": [recipe.get_component(refs[0]), recipe.has_component(store_ref("vector"))],
        "has": [models.has(model_ref("embedding")), models.has(refs[1])],
        "missing": await refusal(lambda: models.get(model_ref("embedding"))),
        "is a lookup": issubclass(MissingComponentError, LookupError),
        "equal": ComponentRef("models", "language") == refs[0],
        "blank": await refusal(lambda: model_ref(" ")),
    }


async def assets() -> dict[str, Any]:
    held = SearchAssetCollection([SearchAsset("a", "x"), SearchAsset("a", "y", store="s"), SearchAsset("b", "x")])
    return {
        "keys": [[asset.key for asset in held.find(SearchAssetRef("a"))], SearchAssetRef("a", "y").key],
        "contains": [held.contains(SearchAssetRef("b")), held.contains(SearchAssetRef("b", "y"))],
        "required": held.require(SearchAssetRef("a", "y")).store,
        "missing": [ref.key for ref in held.missing([SearchAssetRef("a"), SearchAssetRef("c", "z")])],
        "list": held.to_list()[1],
        "not there": await refusal(lambda: held.require(SearchAssetRef("c"))),
        "ambiguous": await refusal(lambda: held.require(SearchAssetRef("a"))),
        "twice": await refusal(lambda: SearchAssetCollection([SearchAsset("a", "x"), SearchAsset("a", "x")])),
        "blank": await refusal(lambda: SearchAsset(" ", "x")),
    }


async def values() -> dict[str, Any]:
    request = QueryRequest("  What?  ", filters={"a": 1})
    return {
        "request": [request.text, request.mode, request.top_k, dict(request.filters), request.trace],
        "blank text": await refusal(lambda: QueryRequest(" ")),
        "blank mode": await refusal(lambda: QueryRequest("a", mode=" ")),
        "top_k": await refusal(lambda: QueryRequest("a", top_k=0)),
        "blank result": await refusal(lambda: QueryResult(" ", "text")),
        "blank result text": await refusal(lambda: QueryResult("id", " ")),
        "blank answer": await refusal(lambda: QueryResponse("m", answer=" ")),
        "in order": QueryResponse("m", (QueryResult("i", "t", 0.5),), "a").results[0].score,
    }


async def settings() -> dict[str, Any]:
    split, embed, index, persist = (
        SplitDocumentsConfig(),
        EmbedChunksConfig(),
        IndexVectorsConfig(),
        PersistChunksConfig(),
    )
    return {
        "split": [split.chunk_size, split.overlap, split.encoding_name, list(split.split_punctuation)],
        "embed": [embed.batch_size, embed.preset],
        "index": [index.metric, index.batch_size, index.collection_names.chunks],
        "persist": [persist.table_names.chunks, persist.dialect, persist.chunk_keys_artifact],
        "refused": [
            await refusal(attempt)
            for attempt in (
                lambda: SplitDocumentsConfig(chunk_size=0),
                lambda: SplitDocumentsConfig(overlap=-1),
                lambda: SplitDocumentsConfig(chunk_size=10, overlap=10),
                lambda: SplitDocumentsConfig(encoding_name=" "),
                lambda: SplitDocumentsConfig(split_punctuation=()),
                lambda: EmbedChunksConfig(batch_size=0),
                lambda: EmbedChunksConfig(preset="none"),
                lambda: IndexVectorsConfig(batch_size=0),
                lambda: IndexVectorsConfig(metric="none"),
                lambda: PersistChunksConfig(dialect="none"),
            )
        ],
    }


async def parsing() -> dict[str, Any]:
    source = make_parsed_source(key="raw/x.txt", name="x.txt", file_type="txt", data=b"hello")
    document = ParsedDocument("doc", source, [ParsedPage(0, "hello")])
    registry = DocumentParserRegistry([TextParser()])
    parsed = await registry.parse(source, "grüß".encode())
    return {
        "source": [
            source.key,
            source.name,
            source.file_type,
            source.content_sha256 == compute_content_sha256(b"hello"),
        ],
        "id": make_document_id(source.content_sha256),
        "document": document.to_dict(),
        "there and back": ParsedDocument.from_json(document.to_json()) == document,
        "parsed": [parsed.pages[0].text, parsed.pages[0].page_index],
        "types": sorted(registry.supported_file_types),
        "found": [registry.find_parser("TXT") is not None, registry.find_parser(".md") is not None],
        "not found": [registry.find_parser("xyz"), await refusal(lambda: registry.get_parser("xyz"))],
        "twice": await refusal(lambda: registry.register(TextParser())),
        "replaced": await refusal(lambda: registry.register(TextParser(), replace=True)),
        "not a parser": await refusal(lambda: registry.register(object())),
        "removed": [type(registry.unregister("md")).__name__, registry.find_parser("md")],
        "short digest": await refusal(lambda: type(source)("k", "n", "txt", "short")),
        "page": await refusal(lambda: ParsedPage(-1, "x")),
        "no pages": await refusal(lambda: ParsedDocument("doc", source, [])),
    }


async def objects() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        store = LocalObjectStore(folder)
        for key in ("b/2", "b/1", "c"):
            await store.put(key, key.encode())
        listed = await store.list()
        bad = ("", "/a", "a/../b", "../a", "a\\b", "a//b", ".", "a/")
        return {
            "listed": [[info.key, info.size] for info in listed],
            "below": [info.key for info in await store.list("b/")],
            "nothing below": await store.list("d/"),
            "got": (await store.get("b/1")).decode(),
            "exists": [await store.exists("c"), await store.exists("d")],
            "deleted": [await store.delete("c"), await store.delete("c"), await store.exists("c")],
            "missing": await refusal(lambda: store.get("d")),
            "keys": {key: await refusal(lambda key=key: store.put(key, b"")) for key in bad},
            "key is a number": await refusal(lambda: store.put(7, b"")),
            "data is a text": await refusal(lambda: store.put("a", "text")),
        }


async def vectors() -> dict[str, Any]:
    store = InMemoryVectorStore()
    seen: dict[str, Any] = {"unknown": await refusal(lambda: store.search("c", VectorQuery([1.0, 0.0])))}
    for metric in ("cosine", "dot", "l2"):
        await store.create_collection(VectorCollectionConfig(metric, 2, metric))
        await store.upsert(
            metric,
            [
                VectorRecord("a", [1.0, 0.0], "one", {"kind": "x", "n": 1}),
                VectorRecord("b", [0.0, 3.0], "two", {"kind": "x", "n": 2}),
                VectorRecord("c", [1.0, 1.0]),
            ],
        )
        found = await store.search(metric, VectorQuery([1.0, 0.2], top_k=3))
        seen[metric] = [[hit.id, round(hit.score, 5), hit.text, hit.metadata] for hit in found]
    only = await store.search("cosine", VectorQuery([1.0, 0.2], filter={"kind": "x", "n": 2}))
    seen["filtered"] = [hit.id for hit in only]
    await store.delete("dot", ["a", "nobody"])
    await store.upsert("dot", [VectorRecord("b", [9.0, 0.0])])
    seen["counted"] = [await store.count("dot"), await store.has_collection("dot"), await store.has_collection("z")]
    await store.drop_collection("dot")
    seen["dropped"] = [await store.has_collection("dot"), await store.drop_collection("dot")]
    attempts = {
        "again": lambda: store.create_collection(VectorCollectionConfig("l2", 2, "l2")),
        "another dimension": lambda: store.create_collection(VectorCollectionConfig("l2", 3, "l2")),
        "another metric": lambda: store.create_collection(VectorCollectionConfig("l2", 2, "dot")),
        "wrong dimension": lambda: store.upsert("l2", [VectorRecord("d", [1.0])]),
        "wrong dimension in a query": lambda: store.search("l2", VectorQuery([1.0])),
        "no dimension": lambda: VectorCollectionConfig("c", 0),
        "no such metric": lambda: store.create_collection(VectorCollectionConfig("c", 2, "manhattan")),
        "nan": lambda: store.upsert("cosine", [VectorRecord("d", [math.nan, 1.0])]),
        "the same id twice": lambda: store.upsert("cosine", [VectorRecord("d", [1.0, 1.0])] * 2),
        "top_k": lambda: store.search("l2", VectorQuery([1.0, 1.0], top_k=0)),
    }
    return seen | {what: await refusal(attempt) for what, attempt in attempts.items()}


async def text_index() -> dict[str, Any]:
    store = InMemoryTextIndexStore()
    unknown = await refusal(lambda: store.search("i", TextQuery("a")))
    await store.create_index(TextIndexConfig("i"))
    await store.upsert(
        "i",
        [
            TextIndexRecord("1", "the red fox sleeps", {"n": 1}),
            TextIndexRecord("2", "the blue fox meets another fox", {"n": 2}),
            TextIndexRecord("3", "a boat"),
        ],
    )
    found = await store.search("i", TextQuery("fox", top_k=2))
    seen = {
        "unknown": unknown,
        "found": sorted([hit.id, hit.text, hit.metadata] for hit in found),
        "scores fall": found[0].score >= found[1].score > 0,
        "filtered": [hit.id for hit in await store.search("i", TextQuery("fox", filters={"n": 1}))],
        "nothing": await store.search("i", TextQuery("zebra")),
        "again": await refusal(lambda: store.create_index(TextIndexConfig("i"))),
        "blank query": await refusal(lambda: store.search("i", TextQuery(" "))),
        "blank record": await refusal(lambda: TextIndexRecord("4", " ")),
        "top_k": await refusal(lambda: store.search("i", TextQuery("fox", top_k=0))),
    }
    await store.delete("i", ["1", "nobody"])
    await store.upsert("i", [TextIndexRecord("3", "a fox in a boat")])
    seen["counted"] = [await store.count("i"), sorted(hit.id for hit in await store.search("i", TextQuery("fox")))]
    await store.drop_index("i")
    seen["dropped"] = [await refusal(lambda: store.count("i")), await store.drop_index("i")]
    return seen


async def sql() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        store = SQLStore(f"sqlite:///{folder}/a.db")
        await store.execute("create table t (a integer, b text)")
        written = await store.execute("insert into t values (:a, :b)", {"a": 1, "b": "x"})

        async def stops() -> None:
            async with store.transaction() as transaction:
                await transaction.execute("insert into t values (2, 'y')")
                raise ArithmeticError

        stopped = await refusal(stops)
        async with store.transaction() as transaction:
            await transaction.execute("insert into t values (3, 'z')")
            inside = await transaction.fetch_one("select count(*) as n from t")
        seen = {
            "written": written.rowcount,
            "one": await store.fetch_one("select * from t where a = :a", {"a": 1}),
            "none": await store.fetch_one("select * from t where a = 9"),
            "stopped": [stopped, inside],
            "all": await store.fetch_all("select * from t order by a"),
            "syntax": await refusal(lambda: store.fetch_all("selekt")),
            "a parameter is missing": await refusal(lambda: store.fetch_all("select * from t where a = :a")),
        }
        await store.aclose()
        return seen


async def graph() -> dict[str, Any]:
    store = InMemoryGraphStore()
    await store.upsert_nodes([GraphNode("a"), GraphNode("b", ("Person",), {"age": 7})])
    await store.upsert_edges([GraphEdge("e", "a", "b", "knows", {"since": 1999})])
    node, edge = await store.get_node("b"), await store.get_edge("e")
    counted = [await store.count_nodes(), await store.count_edges()]
    await store.delete_nodes(["a", "nobody"])
    return {
        "node": [node.id, list(node.labels), dict(node.properties)],
        "edge": [edge.source_id, edge.target_id, edge.type, dict(edge.properties)],
        "none": [await store.get_node("z"), await store.get_edge("z")],
        "counted": [counted, [await store.count_nodes(), await store.count_edges()]],
        "blank": await refusal(lambda: GraphNode(" ")),
        "labels": list(GraphNode("a").labels),
    }


if __name__ == "__main__":
    tell(program)
