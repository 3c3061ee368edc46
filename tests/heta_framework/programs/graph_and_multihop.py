"""A graph of entities and relations, and the query modes that stand on it: hybrid, rerank, rewrite, multihop."""

import tempfile
from typing import Any

from observing import lacking, refusal, scores, shape, steps, tell, texts
from offline_models import Scripted, WordCounts

from heta_framework.common.models import RerankItem, RerankRequest, RerankResult
from heta_framework.common.stores import InMemoryTextIndexStore, InMemoryVectorStore, LocalObjectStore, SQLStore
from heta_framework.kb import (
    BuildGraphConfig,
    DocumentParserRegistry,
    EmbedChunks,
    ExtractedEntity,
    ExtractUniversalGraphConfig,
    GraphTableNames,
    IndexFullText,
    IndexVectors,
    KnowledgeBase,
    KnowledgeModels,
    KnowledgeParsers,
    KnowledgeRecipe,
    KnowledgeStores,
    ParseDocuments,
    QueryInsight,
    QueryResponse,
    SplitDocuments,
    SplitDocumentsConfig,
    TextParser,
    make_deduplicated_entity_id,
    make_entity_id,
    make_relation_id,
)
from heta_framework.kb.procedures import HetaGraphProcedure

DOCUMENTS = {
    "raw/lighthouse.txt": "Ingrid Voss keeps the lighthouse on Skerry Island.",
    "raw/ferry.txt": "The ferry Halcyon sails to Skerry Island every Tuesday.",
    "raw/captain.txt": "Captain Moreau commands the ferry Halcyon.",
}
ENTITIES = {
    "Ingrid Voss": ("Person", "Keeper of the lighthouse."),
    "Skerry Island": ("Place", "An island with a lighthouse."),
    "Halcyon": ("Ship", "A ferry."),
    "Captain Moreau": ("Person", "Commander of the Halcyon."),
}
RELATIONS = {
    ("Ingrid Voss", "Skerry Island"): ("lives_on", "keeps the lighthouse"),
    ("Halcyon", "Skerry Island"): ("goes_to", "sails every Tuesday"),
    ("Captain Moreau", "Halcyon"): ("commands", "is her captain"),
}
ARTIFACTS = (
    "entity_keys",
    "relation_keys",
    "extract_universal_graph_result",
    "deduplicated_entity_keys",
    "deduplicated_relation_keys",
    "deduplicate_entities_result",
    "deduplicate_relations_result",
    "entity_id_mapping",
    "build_graph_result",
)
QUESTION = "Who commands the ferry that sails to Skerry Island?"


def entities_in(prompt: str) -> dict[str, Any]:
    return {"entities": [entity(name) for name in ENTITIES if name in prompt]}


def entity(name: str) -> dict[str, Any]:
    kind, description = ENTITIES[name]
    return {"name": name, "type": kind, "subtype": None, "description": description, "attributes": {"seen": "yes"}}


def relations_in(prompt: str) -> dict[str, Any]:
    return {
        "relations": [
            {"source": source, "target": target, "type": kind, "name": kind, "description": said, "attributes": {}}
            for (source, target), (kind, said) in RELATIONS.items()
            if source in prompt and target in prompt
        ]
    }


def merged(prompt: str) -> dict[str, Any]:
    return {"entity": next(entity(name) for name in ENTITIES if f'"{name}"' in prompt)}


GRAPH_REPLIES = {
    "extract_universal_graph/entity_extraction": entities_in,
    "extract_universal_graph/relation_extraction": relations_in,
    "deduplicate_entities": merged,
    "deduplicate_entities/semantic_mapping_merge": {},
    "deduplicate_relations/semantic_mapping_merge": {},
}


class ShortestFirst:
    """A reranker that prefers short texts."""

    model_name = "shortest-first"

    async def rerank(self, request: RerankRequest) -> RerankResult:
        order = sorted(range(len(request.documents)), key=lambda index: len(request.documents[index]))
        best = order[: request.options.top_n] if request.options else order
        return RerankResult([RerankItem(index, 1 / (rank + 1)) for rank, index in enumerate(best)], self.model_name)

    async def rerank_many(self, requests: list[RerankRequest]) -> list[RerankResult]:
        return [await self.rerank(request) for request in requests]


def make_recipe(folder: str, model: Scripted | None, *, full_text: bool = True) -> KnowledgeRecipe:
    return KnowledgeRecipe(
        models=KnowledgeModels(language=model, embedding=WordCounts()),
        stores=KnowledgeStores(
            objects=LocalObjectStore(f"{folder}/objects"),
            vector=InMemoryVectorStore(),
            text_index=InMemoryTextIndexStore(),
            sql=SQLStore(f"sqlite:///{folder}/graph.db"),
        ),
        parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser()])),
        steps=(
            ParseDocuments(),
            SplitDocuments(SplitDocumentsConfig(encoding_name="unicode", chunk_size=200, overlap=0)),
            EmbedChunks(),
            IndexVectors(),
            *([IndexFullText()] if full_text else []),
            HetaGraphProcedure.build(),
        ),
    )


async def program() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        model = Scripted(dict(GRAPH_REPLIES))
        recipe = make_recipe(folder, model)
        for key, text in DOCUMENTS.items():
            await recipe.stores.objects.put(key, text.encode())
        kb = await KnowledgeBase.create(recipe=recipe, name="islands")
        seen = {
            "build": built(kb, model),
            "heta_graph_search": await by_graph(kb),
            "hybrid_search": await hybrid(await without_full_text(folder, model)),
            "hybrid_search beside full text": {"best": texts(await kb.query("Moreau", mode="hybrid_search", top_k=1))},
            "heta_rerank_search": await reranked(kb),
            "heta_rewrite_search": await rewritten(kb, model),
            "heta_multihop_search": await multihop(kb, model),
            "multihop without an end": await multihop_without_end(kb, model),
            "multihop with blank replies": await multihop_with_blanks(kb, model),
            "deleted": await deleted(kb),
        }
        without_model = KnowledgeBase.restore(manifest=kb.manifest(), recipe=make_recipe(folder, None))
        seen["without a model"] = {"available": sorted(without_model.available_queries)}
    return seen | {
        "no relations": await no_relations(),
        "a model that answers nothing": await silent_model(),
        "values": await values(),
    }


def built(kb: KnowledgeBase, model: Scripted) -> dict[str, Any]:
    artifacts = kb.run_record.artifacts
    extracted, graph = artifacts["extract_universal_graph_result"], artifacts["build_graph_result"]
    deduplicated = artifacts["deduplicate_entities_result"]
    return {
        "steps": steps(kb.run_record),
        "expanded": [step.name for step in kb.recipe.expanded_steps()],
        "procedure": HetaGraphProcedure.build().name,
        "artifacts that lack": lacking(artifacts, ARTIFACTS),
        "extracted": [extracted.chunk_count, extracted.entity_count, extracted.relation_count],
        "failed": [list(extracted.failed_entity_chunk_ids), list(extracted.failed_relation_chunk_ids)],
        "deduplicated": [deduplicated.input_entity_count, deduplicated.output_entity_count],
        "merged": deduplicated.exact_merge_count,
        "graph": [graph.entity_count, graph.relation_count, graph.evidence_count, graph.vector_dimension],
        "vectors": [graph.entity_vector_count, graph.relation_vector_count],
        "assets": [[asset.key, asset.store, shape(asset.metadata)] for asset in kb.search_assets.assets],
        "available": sorted(kb.available_queries),
        "asked": [model.asked.count(f"extract_universal_graph/{kind}_extraction") for kind in ("entity", "relation")],
    }


async def by_graph(kb: KnowledgeBase) -> dict[str, Any]:
    found = await kb.query("Captain Moreau commands", mode="heta_graph_search", top_k=3, trace=True)
    everything = await kb.query(QUESTION, mode="heta_graph_search", top_k=20)
    one_hop = await kb.query(
        "Halcyon", mode="heta_graph_search", top_k=20, options={"evidence_top_k": 1, "relation_expand_limit": 1}
    )
    by_kind = {result.kind: result for result in reversed(found.results)}
    return {
        "best": [[found.results[0].kind, found.results[0].text, scores(found)[0]]],
        "all": sorted([result.kind, result.text] for result in everything.results),
        "scores fall": scores(everything) == sorted(scores(everything), reverse=True),
        "matched by": sorted({result.metadata["matched_by"] for result in everything.results}),
        "source of a relation": shape(by_kind["relation"].source),
        "metadata of a relation": shape(by_kind["relation"].metadata),
        "metadata of an entity": shape(by_kind["entity"].metadata),
        "evidence": by_kind["relation"].metadata["evidence"],
        "evidence is limited": max(len(result.metadata["evidence"]) for result in one_hop.results),
        "metadata": dict(found.metadata),
        "trace": [[event.stage, shape(event.metadata)] for event in found.trace],
        "citation": [found.citations[0].id, dict(found.citations[0].metadata)],
    }


async def without_full_text(folder: str, model: Scripted) -> KnowledgeBase:
    """Of the same documents, with vectors and a graph alone."""
    recipe = make_recipe(folder, model, full_text=False)
    return await KnowledgeBase.create(recipe=recipe, name="vectors and a graph")


async def hybrid(kb: KnowledgeBase) -> dict[str, Any]:
    found = await kb.query("Captain Moreau commands", mode="hybrid_search", top_k=2, trace=True)
    for_chunks = await kb.query(
        "Captain Moreau commands",
        mode="hybrid_search",
        top_k=1,
        options={"hybrid_weights": {"vector_search": 9.0, "heta_graph_search": 0.5}, "rrf_k": 10, "candidate_top_k": 5},
    )
    return {
        "texts": texts(found),
        "scores": scores(found),
        "metadata of a result": sorted(set(found.results[0].metadata) & {"hybrid_score", "retrieval_modes", "fusion"}),
        "fusion": [found.results[0].metadata["fusion"], list(found.results[0].metadata["retrieval_modes"])],
        "weighted": [texts(for_chunks), scores(for_chunks)],
        "metadata": {name: shape(value) for name, value in found.metadata.items()},
        "trace": [[event.stage, shape(event.metadata)] for event in found.trace],
    }


async def reranked(kb: KnowledgeBase) -> dict[str, Any]:
    found = await kb.query("Captain Moreau commands", mode="heta_rerank_search", top_k=1, trace=True)
    recipe = kb.recipe
    models = KnowledgeModels(recipe.models.language, recipe.models.embedding, ShortestFirst())
    with_reranker = KnowledgeBase.restore(
        manifest=kb.manifest(),
        recipe=KnowledgeRecipe(models=models, stores=recipe.stores, parsers=recipe.parsers, steps=recipe.steps),
    )
    shortest = await with_reranker.query("Captain Moreau commands", mode="heta_rerank_search", top_k=2)
    names = {"rrf_score", "retrieval_modes", "rerank_score", "reranker_model", "pre_rerank_score"}
    return {
        "texts": texts(found),
        "said of a result": sorted(set(found.results[0].metadata) & names),
        "metadata": {**found.metadata, "candidate_modes": list(found.metadata["candidate_modes"])},
        "trace": [event.stage for event in found.trace],
        "shortest first": [texts(shortest), scores(shortest)],
        "said of a reranked result": sorted(set(shortest.results[0].metadata) & names),
        "metadata when reranked": [shortest.metadata["used_reranker"], shortest.metadata["reranker_model"]],
    }


async def rewritten(kb: KnowledgeBase, model: Scripted) -> dict[str, Any]:
    async def ask(reply: Any) -> dict[str, Any]:
        model.replies["heta_rewrite_search"] = reply
        found = await kb.query(QUESTION, mode="heta_rewrite_search", top_k=1, trace=True)
        return {
            "best": texts(found),
            "metadata": {name: shape(value) for name, value in found.metadata.items()},
            "fallback": found.metadata.get("fallback"),
            "issues": [[issue["code"], issue["action"]] for issue in found.metadata.get("issues", ())],
            "trace": found.trace[-1].stage,
        }

    return {
        "two queries": await ask({"queries": ["Captain Moreau", "Moreau commands the ferry"]}),
        "more than three": await ask({"queries": ["Moreau", "Moreau", " ", "Captain", "commands", "lighthouse"]}),
        "not json": await ask("I would rather not."),
        "no queries": await ask({"queries": []}),
        "another shape": await ask({"queries": "Moreau"}),
        "blank": await ask(" "),
    }


async def multihop(kb: KnowledgeBase, model: Scripted) -> dict[str, Any]:
    model.replies["heta_multihop_search/extract"] = {"usefulness": True, "information": "Moreau commands her."}
    judged = iter([{"judge": False, "next_query": "captain of the Halcyon"}, {"judge": True, "answer": "Moreau."}])
    model.replies["heta_multihop_search/judge"] = lambda prompt: next(judged)
    before = len(model.asked)
    found = await kb.query(QUESTION, mode="heta_multihop_search", top_k=3, trace=True)
    return {
        "answer": found.answer,
        "results": len(found.results),
        "citations": len(found.citations),
        "asked": model.asked[before:],
        "said": [found.metadata["base_mode"], found.metadata["rounds"], found.metadata["answer_generation"]],
        "rounds": [dict(report) for report in found.metadata["round_reports"]],
        "issues": [issue["code"] for issue in found.metadata["issues"]],
        "metadata": sorted(found.metadata),
        "trace": [shape(event.metadata) for event in found.trace if event.stage == "heta_multihop_search"],
    }


async def multihop_without_end(kb: KnowledgeBase, model: Scripted) -> dict[str, Any]:
    model.replies["heta_multihop_search/extract"] = {"usefulness": False, "information": ""}
    model.replies["heta_multihop_search/judge"] = {"judge": False}
    model.replies["heta_multihop_search/fallback_answer"] = "Nobody knows."
    before = len(model.asked)
    found = await kb.query(QUESTION, mode="heta_multihop_search", top_k=2, options={"max_rounds": 2})
    silent = await kb.query(QUESTION, mode="heta_multihop_search", options={"max_rounds": 1, "generate_answer": False})
    return {
        "answer": [found.answer, silent.answer],
        "fallback": found.metadata["fallback"],
        "asked": model.asked[before:],
        "rounds": found.metadata["rounds"],
        "issues": [[issue["code"], issue["round"], issue["action"]] for issue in found.metadata["issues"]],
    }


async def multihop_with_blanks(kb: KnowledgeBase, model: Scripted) -> dict[str, Any]:
    model.replies["heta_multihop_search/extract"] = "no json at all"
    model.replies["heta_multihop_search/judge"] = {"judge": True, "answer": "  "}
    one = {"max_rounds": 1}
    blank = await refusal(lambda: kb.query(QUESTION, mode="heta_multihop_search", options=one))
    model.replies["heta_multihop_search/judge"] = "nor here"
    return {
        "a blank answer": blank,
        "not json": await refusal(lambda: kb.query(QUESTION, mode="heta_multihop_search", options=one)),
    }


async def deleted(kb: KnowledgeBase) -> dict[str, Any]:
    plan, done = kb.delete_plan(), await kb.delete()
    return {
        "plan": sorted({target.kind for target in plan.targets}),
        "tables": [len(plan.sql_tables) >= 3, set(done.dropped_sql_tables) == set(plan.sql_tables)],
        "collections": [len(plan.vector_collections) >= 3, len(plan.text_indexes)],
        "dropped": set(done.dropped_vector_collections) == set(plan.vector_collections),
        "issues": list(done.issues),
    }


async def no_relations() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        replies = GRAPH_REPLIES | {"extract_universal_graph/relation_extraction": {"relations": []}}
        recipe = make_recipe(folder, Scripted(replies))
        await recipe.stores.objects.put("raw/a.txt", b"Captain Moreau commands the ferry Halcyon.")
        kb = await KnowledgeBase.create(recipe=recipe, name="no relations")
        asked = ("heta_graph_search", "hybrid_search", "heta_rerank_search")
        return {
            "status": kb.run_record.status,
            **{mode: await refusal(lambda mode=mode: kb.query("Moreau", mode=mode)) for mode in asked},
        }


async def silent_model() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        silent = Scripted(GRAPH_REPLIES | {"extract_universal_graph/entity_extraction": "{}"})
        recipe = make_recipe(folder, silent)
        await recipe.stores.objects.put("raw/a.txt", b"Captain Moreau commands the ferry Halcyon.")
        outcome = await refusal(lambda: KnowledgeBase.create(recipe=recipe, name="silent"))
        return {"built": outcome, "attempts": silent.asked.count("extract_universal_graph/entity_extraction")}


async def values() -> dict[str, Any]:
    made = make_entity_id(
        document_id="doc", chunk_id="chunk", name="Ada", type="Person", subtype=None, description="A person."
    )
    entity_of = ExtractedEntity(made, "chunk", "doc", "Ada", "Person", None, "A person.", {}, ("chunk",))
    relation = make_relation_id(
        document_id="doc",
        chunk_id="chunk",
        source_entity_id="a",
        target_entity_id="b",
        type="t",
        name="n",
        description="d",
    )
    tables, config = GraphTableNames(), BuildGraphConfig()
    return {
        "ids": [made, relation, make_deduplicated_entity_id(member_entity_ids=("b", "a"), name="Ada")],
        "entity": entity_of.to_dict(),
        "there and back": ExtractedEntity.from_json(entity_of.to_json()) == entity_of,
        "tables": [tables.entities, tables.relations, tables.evidence],
        "collections": [config.vector_collections.entities, config.vector_collections.relations],
        "attempts": ExtractUniversalGraphConfig().max_attempts,
        "insight": [
            await refusal(lambda: QueryInsight(" ", ("a",))),
            await refusal(lambda: QueryInsight("a", ())),
            await refusal(lambda: QueryInsight("a", ("x", "x"))),
        ],
        "in order": list(
            QueryResponse("m", (), "a", (), (), {}, (QueryInsight("a", ("x",)),)).insights[0].evidence_ids
        ),
    }


if __name__ == "__main__":
    tell(program)
