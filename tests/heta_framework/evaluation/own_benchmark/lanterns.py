"""A benchmark and an evaluator of one's own, in a folder of its own, with nothing but what is installed.

``python lanterns.py`` runs it twice, so that the second run only reads what the first has saved, and prints the means.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

from heta_framework.common.models import WordLlamaEmbedding
from heta_framework.common.stores import InMemoryTextIndexStore, InMemoryVectorStore, LocalObjectStore
from heta_framework.evaluation import (
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkEvidence,
    BenchmarkExpected,
    BenchmarkManifest,
    BenchmarkResource,
    BenchmarkRunConfig,
    BenchmarkRunner,
    BenchmarkRunResult,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    EvaluationScore,
    EvidenceRecallAtK,
    PreparedBenchmark,
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
    TextParser,
)

LANTERNS = {
    "hall": {"brass": "The brass lantern in the hall burns oil.", "paper": "A paper lantern hangs over the table."},
    "yard": {"iron": "The iron lantern in the yard is lit at dusk.", "glass": "Green glass keeps the wind out of it."},
}
QUESTIONS = {"brass": "What does the brass lantern burn?", "iron": "When is the iron lantern lit?"}


class LanternBenchmark:
    """Two houses, each with a question about its own lanterns."""

    @property
    def manifest(self) -> BenchmarkManifest:
        return BenchmarkManifest(
            name="lanterns", version="v1", split="test", task_type="retrieval", build_scope="group"
        )

    def resources(self) -> tuple[BenchmarkResource, ...]:
        return ()

    async def prepare(self, workspace: BenchmarkWorkspace) -> PreparedBenchmark:
        return PreparedBenchmark(manifest=self.manifest, root_dir=workspace.root_dir)

    async def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:
        for texts in LANTERNS.values():
            for name, text in texts.items():
                yield BenchmarkDocument(name, f"{name}.txt", "text/plain", data=text.encode())

    async def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:
        for document_id, question in QUESTIONS.items():
            evidence = BenchmarkEvidence(locator={"document_id": document_id})
            yield BenchmarkCase(f"about-{document_id}", question, BenchmarkExpected(evidence=(evidence,)))

    async def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:
        for house, texts in LANTERNS.items():
            cases = tuple(f"about-{name}" for name in texts if name in QUESTIONS)
            yield BenchmarkRunUnit(unit_id=house, document_ids=tuple(texts), case_ids=cases)

    def evaluators(self):
        return (EvidenceRecallAtK(k=1), OneHouse())


class OneHouse:
    """Whether all results are of the house that the question is about."""

    name = "one_house"

    async def evaluate(self, *, case, response):
        asked = case.case_id.removeprefix("about-")
        house = next(texts for texts in LANTERNS.values() if asked in texts)
        found = {result.source["document_id"] for result in response.results}
        return EvaluationScore(name=self.name, value=found <= house.keys(), metadata={"found": sorted(found)})


def make_recipe() -> KnowledgeRecipe:
    return KnowledgeRecipe(
        models=KnowledgeModels(embedding=WordLlamaEmbedding()),
        stores=KnowledgeStores(
            objects=LocalObjectStore("objects"), vector=InMemoryVectorStore(), text_index=InMemoryTextIndexStore()
        ),
        parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser()])),
        steps=(ParseDocuments(), SplitDocuments(), EmbedChunks(), IndexVectors(), IndexFullText()),
    )


async def run() -> BenchmarkRunResult:
    return await BenchmarkRunner().run(
        benchmark=LanternBenchmark(),
        recipe=make_recipe(),
        knowledge_base_name="houses",
        query_modes=("vector_search", "full_text_search"),
        config=BenchmarkRunConfig(report_id="first"),
    )


def main() -> None:
    first, again = asyncio.run(run()), asyncio.run(run())
    assert first.report_key is not None
    saved = json.loads(Path("objects", first.report_key).read_text(encoding="utf-8"))
    assert saved["score_summary"] == dict(first.report.score_summary) == dict(again.report.score_summary)
    assert [kb.name for kb in first.knowledge_bases] == ["houses-hall", "houses-yard"]
    print(json.dumps(saved["score_summary"]))


if __name__ == "__main__":
    main()
