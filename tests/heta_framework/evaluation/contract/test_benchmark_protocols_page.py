"""The page about benchmarks: its protocol, its value types and what it says of raw keys and locators, as written."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pages_benchmark import HarbourBenchmark, by_words

from heta_framework.evaluation import (
    AnswerContains,
    BenchmarkBuildScope,
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkEvaluatorProtocol,
    BenchmarkEvidence,
    BenchmarkExpected,
    BenchmarkManifest,
    BenchmarkProtocol,
    BenchmarkResource,
    BenchmarkRunConfig,
    BenchmarkRunner,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    EvidenceRecallAtK,
    PreparedBenchmark,
)
from heta_framework.kb import QueryResponse, QueryResult

MANIFEST = BenchmarkManifest(
    name="multihop_rag",
    version="official",
    split="all",
    task_type="multi_hop_qa",
    build_scope="corpus",
)


class PaperBenchmark:
    """Every method with the signature of the page."""

    @property
    def manifest(self) -> BenchmarkManifest:
        return MANIFEST

    def resources(self) -> tuple[BenchmarkResource, ...]:
        return ()

    async def prepare(self, workspace: BenchmarkWorkspace) -> PreparedBenchmark:
        return PreparedBenchmark(manifest=self.manifest, root_dir=workspace.root_dir)

    async def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:
        yield BenchmarkDocument(
            document_id="doc_001", name="paper.txt", media_type="text/plain", path=prepared.root_dir / "paper.txt"
        )

    async def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:
        yield _ocean_case(text=None)

    async def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:
        yield BenchmarkRunUnit(unit_id="corpus")

    def evaluators(self) -> tuple[BenchmarkEvaluatorProtocol, ...]:
        return (
            EvidenceRecallAtK(k=5),
            AnswerContains(),
        )


def test_a_benchmark_of_these_methods_satisfies_the_protocol() -> None:
    assert isinstance(PaperBenchmark(), BenchmarkProtocol)
    assert isinstance(HarbourBenchmark(), BenchmarkProtocol)
    assert not isinstance(object(), BenchmarkProtocol)
    assert all(isinstance(one, BenchmarkEvaluatorProtocol) for one in PaperBenchmark().evaluators())


@pytest.mark.anyio
async def test_the_flow_of_the_page_ends_in_a_report(tmp_path: Path) -> None:
    (tmp_path / "paper.txt").write_text("Marine protected areas are discussed.")
    result = await BenchmarkRunner().run(
        benchmark=PaperBenchmark(),
        recipe=by_words(tmp_path),
        knowledge_base_name="kb",
        query_modes=("full_text_search",),
        workspace=BenchmarkWorkspace(tmp_path, tmp_path / "cache"),
        evaluators=(EvidenceRecallAtK(k=5),),
        config=BenchmarkRunConfig(persist_report=False),
    )
    (case,) = result.report.case_results
    assert case.response is not None
    source = case.response.results[0].source
    assert source["object_key"] == "raw/benchmarks/multihop_rag/all/doc_001/paper.txt"
    assert source["document_id"] == "doc_001"


def test_a_run_unit_keeps_its_documents_and_cases() -> None:
    unit = BenchmarkRunUnit(
        unit_id="ADI_2009",
        document_ids=("ADI_2009",),
        case_ids=(
            "ADI/2009/page_49.pdf-1",
            "ADI/2009/page_59.pdf-2",
        ),
    )
    assert unit.case_ids[1] == "ADI/2009/page_59.pdf-2"
    assert not unit.is_corpus_level
    assert BenchmarkRunUnit("corpus").is_corpus_level
    assert unit == BenchmarkRunUnit("ADI_2009", ("ADI_2009",), list(unit.case_ids))  # type: ignore[arg-type]


def test_a_manifest_names_a_build_scope() -> None:
    assert MANIFEST.key == "multihop_rag:official:all"
    assert get_args(BenchmarkBuildScope) == ("corpus", "group", "case")
    for scope in ("corpus", "case", "group"):
        manifest = BenchmarkManifest("n", "v", "s", "t", scope)  # type: ignore[arg-type]
        assert manifest.build_scope == scope
    with pytest.raises(ValueError, match="build_scope must be one of: corpus, group, case"):
        BenchmarkManifest("n", "v", "s", "t", "city")  # type: ignore[arg-type]


def test_a_document_has_a_default_raw_key() -> None:
    document = BenchmarkDocument(
        document_id="doc_001",
        name="paper.pdf",
        media_type="application/pdf",
        path=Path("paper.pdf"),
    )
    assert document.raw_key(MANIFEST) == "raw/benchmarks/multihop_rag/all/doc_001/paper.pdf"


@pytest.mark.parametrize(
    "contents", [{}, {"data": b"x", "path": Path("x")}, {"data": b"", "source_uri": "https://example.org/x"}]
)
def test_a_document_has_exactly_one_content(contents: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="exactly one of data, path, or source_uri must be set"):
        BenchmarkDocument("doc_001", "x.txt", "text/plain", **contents)


def _ocean_case(text: str | None) -> BenchmarkCase:
    return BenchmarkCase(
        case_id="case_001",
        query="What ocean management topics are discussed?",
        expected=BenchmarkExpected(
            answers=("marine protected areas",),
            evidence=(
                BenchmarkEvidence(
                    reference_id="doc_001_p4",
                    locator={"document_id": "doc_001", "page_index": 4},
                    text=text,
                ),
            ),
        ),
    )


def test_a_case_is_one_question_with_its_labels() -> None:
    case = _ocean_case(text="...")
    assert case.expected.evidence[0].locator == {"document_id": "doc_001", "page_index": 4}
    assert case.to_dict()["expected"]["evidence"][0] == {
        "reference_id": "doc_001_p4",
        "locator": {"document_id": "doc_001", "page_index": 4},
        "text": "...",
        "metadata": {},
    }


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("locator", "source"),
    [
        ({"document_id": "doc_001"}, {"document_id": "doc_001"}),
        ({"source_key": "raw/a.txt"}, {"object_key": "raw/a.txt"}),
        ({"document_id": "doc_001", "page_index": 4}, {"document_id": "doc_001", "page_index": 4}),
        ({"chunk_id": "chunk_7"}, {"chunk_ids": ("chunk_7",)}),
        ({"table_id": "t1", "row_index": 3, "column": "price"}, {"table_id": "t1", "row_index": 3, "column": "price"}),
    ],
)
async def test_a_locator_is_recognised_by_its_fields(locator: dict[str, Any], source: dict[str, Any]) -> None:
    case = BenchmarkCase("c", "q", BenchmarkExpected(evidence=(BenchmarkEvidence(locator=locator),)))
    elsewhere = {name: "somewhere else" for name in source if name != "chunk_ids"}
    found = QueryResponse("m", (QueryResult("r", "text", source=source),))
    missed = QueryResponse("m", (QueryResult("r", "text", source=elsewhere),))
    evaluator = EvidenceRecallAtK(k=5)
    assert (await evaluator.evaluate(case=case, response=found)).value == 1.0
    assert (await evaluator.evaluate(case=case, response=missed)).value == 0.0
