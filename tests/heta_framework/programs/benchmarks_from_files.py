"""Benchmarks in files, JSON Lines and BEIR's layout, run on a recipe: reports, keys, scores, and what is refused."""

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from observing import DECIMALS, lacking, refusal, shape, tell
from offline_models import WordCounts

from heta_framework.common.stores import InMemoryTextIndexStore, InMemoryVectorStore, LocalObjectStore
from heta_framework.evaluation import (
    BeirBenchmark,
    BenchmarkManifest,
    BenchmarkRunConfig,
    BenchmarkRunner,
    BenchmarkRunResult,
    BenchmarkWorkspace,
    EvidenceRecallAtK,
    JsonlBenchmark,
    beir_default_metrics,
)
from heta_framework.kb import (
    DocumentParserRegistry,
    EmbedChunks,
    IndexFullText,
    IndexVectors,
    KnowledgeModels,
    KnowledgeParsers,
    KnowledgeRecipe,
    KnowledgeStores,
    ParseDocuments,
    SplitDocuments,
    SplitDocumentsConfig,
    TextParser,
)

TEXTS = {
    "pier": "Port Sorrel has a pier of grey stone. The lamp on it burns rapeseed oil.",
    "ferry": "Every Tuesday the ferry Petrel sails to Gull Island with mail and goats.",
    "captain": "Ivo Brandt commands the Petrel and plays the violin.",
    "bakery": "The bakery sells rye bread from six in the morning.",
}
QUESTIONS = {
    "q1": ("Who commands the Petrel?", ("captain", "ferry"), "Ivo Brandt"),
    "q2": ("What does the lamp on the pier burn?", ("pier",), "rapeseed oil"),
    "q3": ("When does the bakery sell rye bread?", ("bakery",), "six in the morning"),
}
REPORT_FIELDS = (
    "schema_version",
    "report_id",
    "report_key",
    "benchmark",
    "knowledge_base_name",
    "knowledge_base_manifest",
    "recipe_manifest",
    "query_modes",
    "score_summary",
    "case_results",
    "started_at",
    "finished_at",
    "metadata",
)


def make_recipe(folder: Path) -> KnowledgeRecipe:
    return KnowledgeRecipe(
        models=KnowledgeModels(embedding=WordCounts()),
        stores=KnowledgeStores(
            objects=LocalObjectStore(folder), vector=InMemoryVectorStore(), text_index=InMemoryTextIndexStore()
        ),
        parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser()])),
        steps=(
            ParseDocuments(),
            SplitDocuments(SplitDocumentsConfig(encoding_name="unicode")),
            EmbedChunks(),
            IndexVectors(),
            IndexFullText(),
        ),
    )


async def program() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place, inside(Path(place)):
        folder = Path(place)
        write_jsonl(folder)
        write_beir(folder / "harbour")
        return {
            "json lines": await of_json_lines(folder),
            "rows": await rows(folder),
            "faulty files": await faulty_files(folder),
            "beir": await of_beir(folder),
            "own evaluators": await own_evaluators(folder),
        }


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def write_jsonl(folder: Path) -> None:
    documents = [
        {"document_id": name, "name": f"{name}.txt", "media_type": "text/plain", "text": text}
        for name, text in TEXTS.items()
    ]
    cases = [
        {
            "case_id": case_id,
            "query": query,
            "expected": {
                "answers": [answer],
                "evidence": [
                    {"locator": {"source_key": f"raw/benchmarks/harbour/test/{name}/{name}.txt"}} for name in names
                ],
            },
            "labels": {"kind": query.split()[0]},
        }
        for case_id, (query, names, answer) in QUESTIONS.items()
    ]
    for name, rows in (("documents", documents), ("cases", cases)):
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def write_beir(folder: Path) -> None:
    (folder / "qrels").mkdir(parents=True)
    corpus = [{"_id": name, "title": name.title(), "text": text} for name, text in TEXTS.items()]
    queries = [{"_id": case_id, "text": query} for case_id, (query, _, _) in QUESTIONS.items()]
    for name, rows in (("corpus", corpus), ("queries", [*queries, {"_id": "q9", "text": "Nobody labelled this."}])):
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    lines = [f"{case_id}\t{name}\t1" for case_id, (_, names, _) in QUESTIONS.items() for name in names]
    (folder / "qrels/test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *lines, ""]), encoding="utf-8")


def jsonl(**more: Any) -> JsonlBenchmark:
    manifest = BenchmarkManifest("harbour", "v1", "test", "rag_qa")
    return JsonlBenchmark(manifest, Path("documents.jsonl"), Path("cases.jsonl"), **more)


async def run(folder: Path, benchmark: Any, *modes: str, **more: Any) -> BenchmarkRunResult:
    return await BenchmarkRunner().run(
        benchmark=benchmark, recipe=make_recipe(folder), knowledge_base_name="port", query_modes=modes, **more
    )


async def of_json_lines(folder: Path) -> dict[str, Any]:
    config = BenchmarkRunConfig(top_k=2, report_id="first", metadata={"asked_by": "us"}, trace=True)
    result = await run(folder / "one", jsonl(), "vector_search", "full_text_search", config=config)
    report = result.report
    saved = json.loads((folder / "one" / str(result.report_key)).read_text(encoding="utf-8"))
    return {
        "summary": rounded(report.score_summary),
        "keys": list(result.benchmark_document_keys),
        "report key": [result.report_key, report.report_key == result.report_key],
        "cases": [[case.case_id, case.query_mode, case.error, len(case.scores)] for case in report.case_results],
        "first": of_case(report.case_results[0].to_dict()),
        "found": found(result, 1),
        "lacks": lacking(report.to_dict(), REPORT_FIELDS),
        "saved lacks": lacking(saved, REPORT_FIELDS),
        "saved summary": saved["score_summary"] == dict(report.score_summary),
        "saved benchmark": saved["benchmark"],
        "metadata": lacking(report.metadata, ("asked_by", "run_units")),
        "knowledge base": [report.knowledge_base_name, [kb.name for kb in result.knowledge_bases]],
        "manifest of it": report.knowledge_base_manifest["name"],
        "workspace": folders_in(Path(".heta/evaluation")),
    }


def folders_in(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir() if path.is_dir())


def of_case(written: dict[str, Any]) -> dict[str, Any]:
    response = written["response"]
    return {
        "fields": sorted(written),
        "response": [response["mode"], len(response["results"]), sorted(response["results"][0])],
        "citation": shape(sorted(response["citations"][0])),
        "trace": [sorted(event) for event in response["trace"][:1]],
        "scores": [[score["name"], score["value"], score["passed"]] for score in written["scores"]],
        "metadata lacks": lacking(written["metadata"], ("benchmark_run_unit", "knowledge_base_name")),
        "latency": written["latency_ms"] >= 0,
    }


async def rows(folder: Path) -> dict[str, Any]:
    """Every way to give a document, and everything that a case can hold."""
    place = folder / "rows"
    place.mkdir()
    (place / "lighthouse.txt").write_text("The lighthouse is white.", encoding="utf-8")
    documents: list[dict[str, Any]] = [
        {"document_id": "a", "name": "a.txt", "media_type": "text/plain", "text": "An anchor.", "metadata": {"x": 1}},
        {"document_id": "b", "name": "b.txt", "media_type": "text/plain", "data_base64": "QSBidW95Lg=="},
        {"document_id": "c", "name": "c.txt", "media_type": "text/plain", "path": "lighthouse.txt"},
    ]
    case = {
        "case_id": "c1",
        "query": "What is white?",
        "expected": {
            "answers": ["the lighthouse"],
            "evidence": [{"reference_id": "c", "text": "white", "metadata": {"relevance": 2}}],
            "value": {"colour": "white"},
            "metadata": {"by": "us"},
        },
        "labels": {"kind": "colour"},
        "metadata": {"n": 1},
    }
    (place / "documents.jsonl").write_text("\n".join(map(json.dumps, documents)) + "\n\n", encoding="utf-8")
    (place / "cases.jsonl").write_text(json.dumps(case), encoding="utf-8")
    benchmark = JsonlBenchmark(
        BenchmarkManifest("rows", "v1", "test", "qa"), place / "documents.jsonl", place / "cases.jsonl"
    )
    prepared = await benchmark.prepare(BenchmarkWorkspace(folder, folder / "cache"))
    return {
        "documents": [{**one.to_dict(), "path": one.path is not None} async for one in benchmark.documents(prepared)],
        "cases": [one.to_dict() async for one in benchmark.cases(prepared)],
        "units": [unit.to_dict() async for unit in benchmark.run_units(prepared)],
        "evaluators": [one.name for one in benchmark.evaluators()],
        "resources": list(benchmark.resources()),
        "root": prepared.root_dir == place,
    }


async def faulty_files(folder: Path) -> dict[str, Any]:
    async def read(documents: str, cases: str = '{"case_id":"c","query":"q"}') -> Any:
        place = Path(tempfile.mkdtemp(dir=folder))
        (place / "documents.jsonl").write_text(documents, encoding="utf-8")
        (place / "cases.jsonl").write_text(cases, encoding="utf-8")
        benchmark = JsonlBenchmark(
            BenchmarkManifest("f", "v", "s", "t"), place / "documents.jsonl", place / "cases.jsonl"
        )
        return await refusal(lambda: run(place, benchmark, "vector_search"))

    good = {"document_id": "a", "name": "a.txt", "media_type": "text/plain", "text": "An anchor."}
    return {
        "no file": await missing(folder),
        "not an object": await read("[1]"),
        "two contents": await read(json.dumps({**good, "data_base64": "QQ=="})),
        "no name": await read('{"document_id":"a","media_type":"text/plain","text":"x"}'),
        "twice the same document": await read("\n".join([json.dumps(good)] * 2)),
        "twice the same case": await read(json.dumps(good), '{"case_id":"c","query":"q"}\n' * 2),
        "no documents": await read(""),
        "no cases": await read(json.dumps(good), ""),
        "half a line": await read('{"document_id":'),
    }


async def missing(folder: Path) -> Any:
    manifest = BenchmarkManifest("f", "v", "s", "t")
    benchmark = JsonlBenchmark(manifest, folder / "not_there.jsonl", folder / "cases.jsonl")
    return await refusal(lambda: run(folder / "none", benchmark, "vector_search"))


async def of_beir(folder: Path) -> dict[str, Any]:
    benchmark = BeirBenchmark("Harbour", data_root=folder / "harbour", download=False)
    result = await run(folder / "two", benchmark, "vector_search", config=BenchmarkRunConfig(top_k=100))
    elsewhere = BeirBenchmark("harbour", data_root=folder / "none", download=False)
    prepared = await benchmark.prepare(BenchmarkWorkspace(folder, folder / "cache"))
    documents = [document async for document in benchmark.documents(prepared)]
    return {
        "manifest": {**benchmark.manifest.to_dict(), "citation": benchmark.manifest.citation is not None},
        "summary": rounded(result.report.score_summary),
        "keys": list(result.benchmark_document_keys),
        "document": {**documents[0].to_dict(), "text": (documents[0].data or b"").decode()},
        "case": (await anext(benchmark.cases(prepared))).to_dict(),
        "units": [unit.to_dict() async for unit in benchmark.run_units(prepared)],
        "evaluators": [one.name for one in benchmark.evaluators()],
        "resource": benchmark.resources()[0].to_dict(),
        "found": found(result, 2),
        "refused": {
            "a path": await refusal(lambda: BeirBenchmark("a/b")),
            "nothing there": await refusal(lambda: run(folder / "five", elsewhere, "vector_search")),
        },
    }


async def own_evaluators(folder: Path) -> dict[str, Any]:
    benchmark = BeirBenchmark(
        "harbour", data_root=folder / "harbour", download=False, evaluator_list=(EvidenceRecallAtK(1),)
    )
    config = BenchmarkRunConfig(persist_report=False, max_concurrent_queries=1)
    of_benchmark = await run(folder / "three", benchmark, "vector_search", config=config)
    of_call = await run(
        folder / "four", benchmark, "vector_search", config=config, evaluators=beir_default_metrics(k_values=(1, 2))[:4]
    )
    return {
        "of the benchmark": rounded(of_benchmark.report.score_summary),
        "of the call": rounded(of_call.report.score_summary),
        "not saved": [of_call.report_key, of_call.report.report_key, len(of_call.report.case_results)],
    }


def found(result: BenchmarkRunResult, count: int) -> list[list[str]]:
    responses = [case.response for case in result.report.case_results if case.response]
    return [[hit.source["object_name"] for hit in response.results[:count]] for response in responses]


def rounded(summary: Any) -> dict[str, float]:
    return {name: round(value, DECIMALS) for name, value in summary.items()}


if __name__ == "__main__":
    tell(program)
