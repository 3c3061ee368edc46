"""The page about the runner: each of its blocks works as written, and what it says of reports holds."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import pytest
from pages_benchmark import DOCUMENTS, QUESTIONS, HarbourBenchmark, by_words, every_mode

from heta_framework.evaluation import (
    BenchmarkManifest,
    BenchmarkRunConfig,
    BenchmarkRunner,
    BenchmarkRunResult,
    BenchmarkRunUnit,
    EvidenceRecallAtK,
    JsonlBenchmark,
)
from heta_framework.kb import (
    KnowledgeRecipe,
    KnowledgeStores,
    QueryContext,
    QueryEngineRegistry,
    QueryRequest,
    QueryResponse,
)

pytestmark = pytest.mark.anyio

REPORT_KEYS = {
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
}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


async def test_basic_usage(tmp_path: Path) -> None:
    benchmark, recipe = HarbourBenchmark(), every_mode(tmp_path)

    result = await BenchmarkRunner().run(
        benchmark=benchmark,
        recipe=recipe,
        knowledge_base_name="multihop_graph_v1",
        query_modes=("heta_multihop_search",),
        config=BenchmarkRunConfig(
            top_k=5,
            report_id="eval_multihop_graph_v1",
            max_concurrent_queries=8,
        ),
    )

    report = result.report
    knowledge_bases = result.knowledge_bases
    assert [kb.name for kb in knowledge_bases] == ["multihop_graph_v1"]
    assert (report.report_id, report.knowledge_base_name) == ("eval_multihop_graph_v1", "multihop_graph_v1")
    assert report.score_summary["heta_multihop_search.evidence_recall@5"] == 1.0
    assert [case.case_id for case in report.case_results] == list(QUESTIONS)
    assert all(case.response is not None and case.error is None for case in report.case_results)
    assert all(case.response.mode == "heta_multihop_search" for case in report.case_results if case.response)


async def test_a_result_has_the_four_named_fields(tmp_path: Path) -> None:
    assert [field.name for field in fields(BenchmarkRunResult)][:4] == [
        "knowledge_bases",
        "report",
        "benchmark_document_keys",
        "report_key",
    ]
    result = await _run(by_words(tmp_path))
    assert result.report_key == result.report.report_key
    assert len(result.knowledge_bases) == 1


async def test_documents_are_raw_keys_and_the_first_artifacts_of_the_build(tmp_path: Path) -> None:
    recipe = by_words(tmp_path)
    result = await _run(recipe)
    keys = tuple(f"raw/benchmarks/harbour/test/{name}/{name}.txt" for name in DOCUMENTS)
    assert result.benchmark_document_keys == keys
    artifacts = result.knowledge_bases[0].run_record.artifacts
    assert (tuple(artifacts["benchmark_document_keys"]), tuple(artifacts["source_keys"])) == (keys, keys)
    for name, key in zip(DOCUMENTS, keys, strict=True):
        assert await recipe.stores.objects.get(key) == DOCUMENTS[name].encode()


async def test_an_object_store_is_required(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"recipe\.stores\.objects must satisfy ObjectStoreProtocol"):
        await _run(replace(by_words(tmp_path), stores=KnowledgeStores()))


async def test_many_units_are_many_knowledge_bases_and_one_report(tmp_path: Path) -> None:
    benchmark = HarbourBenchmark(
        BenchmarkRunUnit(unit_id="ADI_2009", document_ids=("captain",), case_ids=("who-commands",)),
        BenchmarkRunUnit(unit_id="west", document_ids=("pier", "ferry"), case_ids=("which-lamp",)),
    )
    result = await _run(by_words(tmp_path), benchmark=benchmark)
    assert [kb.name for kb in result.knowledge_bases] == ["kb-ADI_2009", "kb-west"]
    assert result.report.knowledge_base_name == "kb"
    assert {case.case_id: case.metadata["knowledge_base_name"] for case in result.report.case_results} == {
        "who-commands": "kb-ADI_2009",
        "which-lamp": "kb-west",
    }
    assert result.report.score_summary["vector_search.evidence_recall@5"] == 1.0


async def test_every_case_is_asked_in_every_mode(tmp_path: Path) -> None:
    result = await BenchmarkRunner().run(
        benchmark=HarbourBenchmark(),
        recipe=every_mode(tmp_path),
        knowledge_base_name="kb",
        query_modes=(
            "vector_search",
            "heta_graph_search",
            "heta_multihop_search",
        ),
    )
    asked = [(case.case_id, case.query_mode) for case in result.report.case_results]
    modes = ("vector_search", "heta_graph_search", "heta_multihop_search")
    assert asked == [(case_id, mode) for case_id in QUESTIONS for mode in modes]
    assert {name.partition(".")[0] for name in result.report.score_summary} == set(modes)


@dataclass
class Listening:
    """An engine that keeps what it is asked."""

    mode: str = "listening"
    required_assets: tuple[Any, ...] = ()
    heard: list[QueryRequest] = field(default_factory=list)

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        self.heard.append(request)
        if "lamp" in request.text:
            raise RuntimeError("the lamp is out")
        return QueryResponse(self.mode)


async def test_a_query_gets_the_text_the_mode_top_k_options_and_trace(tmp_path: Path) -> None:
    engine = Listening()
    config = BenchmarkRunConfig(top_k=7, query_options={"max_rounds": 2}, trace=True)
    await _run(by_words(tmp_path), engine=engine, config=config)
    asked = {(one.text, one.mode, one.top_k, one.options["max_rounds"], one.trace) for one in engine.heard}
    assert asked == {(query, "listening", 7, 2, True) for query, _ in QUESTIONS.values()}


async def test_a_case_that_fails_has_its_error_and_the_report_is_whole(tmp_path: Path) -> None:
    report = (await _run(by_words(tmp_path), engine=Listening())).report
    assert [case.case_id for case in report.case_results] == list(QUESTIONS)
    well, failed = report.case_results
    assert (well.error, failed.response) == (None, None)
    assert failed.error is not None
    assert (failed.error.error_type, failed.error.message) == ("RuntimeError", "the lamp is out")
    assert report.to_dict().keys() >= REPORT_KEYS


async def test_evaluators_of_a_call_take_the_place_of_the_benchmarks(tmp_path: Path) -> None:
    benchmark, recipe = HarbourBenchmark(), by_words(tmp_path)

    result = await BenchmarkRunner().run(
        benchmark=benchmark,
        recipe=recipe,
        knowledge_base_name="kb",
        query_modes=("vector_search",),
        evaluators=(EvidenceRecallAtK(k=10),),
    )

    assert list(result.report.score_summary) == ["vector_search.evidence_recall@10"]
    assert {score.name for case in result.report.case_results for score in case.scores} == {"evidence_recall@10"}


async def test_the_benchmarks_own_evaluators_are_the_default(tmp_path: Path) -> None:
    report = (await _run(by_words(tmp_path))).report
    assert list(report.score_summary) == ["vector_search.answer_contains", "vector_search.evidence_recall@5"]


async def test_the_report_lies_where_the_page_says(tmp_path: Path) -> None:
    recipe = by_words(tmp_path)
    result = await _run(recipe, config=BenchmarkRunConfig(report_id="first"))
    assert result.report_key == "_heta/knowledge_bases/kb/evaluations/first/report.json"
    saved = json.loads(await recipe.stores.objects.get(result.report_key), parse_constant=pytest.fail)
    assert saved.keys() >= REPORT_KEYS
    assert saved["score_summary"] == result.report.score_summary
    assert json.loads(json.dumps(result.report.to_dict(), allow_nan=False))["case_results"][0]["response"]["results"]


async def test_no_report_is_kept_where_none_is_wanted(tmp_path: Path) -> None:
    recipe = by_words(tmp_path)
    result = await _run(recipe, config=BenchmarkRunConfig(persist_report=False))
    assert (result.report_key, result.report.report_key) == (None, None)
    assert len(result.report.case_results) == len(QUESTIONS)
    assert [one.key for one in await recipe.stores.objects.list("_heta") if "/evaluations/" in one.key] == []


async def test_the_jsonl_example_is_found_in_full(tmp_path: Path) -> None:
    (tmp_path / "documents.jsonl").write_text(
        '{"document_id":"doc_1","name":"doc.txt","media_type":"text/plain","text":"Marine biodiversity."}'
    )
    (tmp_path / "cases.jsonl").write_text(
        '{"case_id":"case_1","query":"What is discussed?","expected":{"answers":["Marine biodiversity"],'
        '"evidence":[{"locator":{"document_id":"doc_1"},"text":"Marine biodiversity."}]}}'
    )

    benchmark = JsonlBenchmark(
        manifest=BenchmarkManifest(
            name="local_rag_eval",
            version="v1",
            split="test",
            task_type="rag_qa",
        ),
        documents_jsonl="documents.jsonl",
        cases_jsonl="cases.jsonl",
    )

    result = await _run(by_words(tmp_path), benchmark=benchmark)
    assert result.report.score_summary["vector_search.evidence_recall@5"] == 1.0
    assert result.benchmark_document_keys == ("raw/benchmarks/local_rag_eval/test/doc_1/doc.txt",)


async def _run(
    recipe: KnowledgeRecipe, *, benchmark: Any = None, engine: Listening | None = None, **more: Any
) -> BenchmarkRunResult:
    engines = QueryEngineRegistry.defaults().register(engine) if engine else None
    return await BenchmarkRunner().run(
        benchmark=benchmark or HarbourBenchmark(),
        recipe=recipe,
        knowledge_base_name="kb",
        query_modes=(engine.mode if engine else "vector_search",),
        query_engines=engines,
        **more,
    )
