"""A benchmark of a few documents for tests of single faults, and how it is run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from heta_framework.evaluation import (
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkEvidence,
    BenchmarkExpected,
    BenchmarkManifest,
    BenchmarkRunner,
    BenchmarkRunResult,
    BenchmarkRunUnit,
    EvidenceRecallAtK,
    PreparedBenchmark,
)
from heta_framework.kb import KnowledgeRecipe

TEXTS = {
    "harbour": "The harbour master keeps the tide tables in a blue cabinet.",
    "orchard": "Forty apple trees stand in the orchard behind the mill.",
    "lantern": "The lantern in the stairwell burns oil, not petrol.",
}


class SmallBenchmark:
    """Documents of text, and for each a case that asks for its own words and expects its own id.

    ``documents`` are texts by id, or whole documents; ``cases`` and ``units`` stand in for what is derived from them.
    """

    def __init__(
        self,
        documents: Mapping[str, str] | Sequence[BenchmarkDocument] = TEXTS,
        *,
        cases: Sequence[BenchmarkCase] = (),
        units: Sequence[BenchmarkRunUnit] = (BenchmarkRunUnit("corpus"),),
        manifest: BenchmarkManifest | None = None,
        evaluators: tuple[Any, ...] = (EvidenceRecallAtK(1),),
    ) -> None:
        texts = documents if isinstance(documents, Mapping) else {}
        self.manifest = manifest or BenchmarkManifest("small", "v1", "test", "retrieval")
        self._documents = [text_document(name, text) for name, text in texts.items()] if texts else documents
        self._cases = cases or [asks_for(name, text) for name, text in texts.items()]
        self._units, self._evaluators = units, evaluators

    def resources(self) -> tuple[Any, ...]:
        return ()

    async def prepare(self, workspace: Any) -> PreparedBenchmark:
        return PreparedBenchmark(self.manifest, workspace.root_dir)

    async def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:
        for document in self._documents:
            yield document  # type: ignore[misc]

    async def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:
        for case in self._cases:
            yield case

    async def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:
        for unit in self._units:
            yield unit

    def evaluators(self) -> tuple[Any, ...]:
        return self._evaluators


def text_document(document_id: str, text: str, **more: Any) -> BenchmarkDocument:
    return BenchmarkDocument(document_id, "text.txt", "text/plain", data=text.encode(), **more)


def asks_for(document_id: str, query: str) -> BenchmarkCase:
    evidence = (BenchmarkEvidence(reference_id=document_id, locator={"document_id": document_id}),)
    return BenchmarkCase(f"about {document_id}", query, BenchmarkExpected(evidence=evidence))


async def run(recipe: KnowledgeRecipe, benchmark: Any, *, name: str = "kb", **more: Any) -> BenchmarkRunResult:
    modes = more.pop("query_modes", ("vector_search",))
    return await BenchmarkRunner().run(
        benchmark=benchmark, recipe=recipe, knowledge_base_name=name, query_modes=modes, **more
    )


def found(result: BenchmarkRunResult) -> dict[str, list[str]]:
    """The document ids that each case found, best first."""
    return {
        case.case_id: [hit.source["document_id"] for hit in case.response.results]
        for case in result.report.case_results
        if case.response
    }


def recall(result: BenchmarkRunResult) -> float:
    return float(result.report.score_summary["vector_search.evidence_recall@1"])
