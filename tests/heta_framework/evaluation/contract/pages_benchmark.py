"""A benchmark of one's own as the page about protocols describes it, and offline recipes that serve every mode."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

from tiny_recipes import SharedStores

from heta_framework.common.stores import SQLStore
from heta_framework.evaluation import (
    AnswerContains,
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkEvaluatorProtocol,
    BenchmarkEvidence,
    BenchmarkExpected,
    BenchmarkManifest,
    BenchmarkResource,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    EvidenceRecallAtK,
    PreparedBenchmark,
)
from heta_framework.kb import KnowledgeRecipe
from heta_framework.kb.procedures import HetaGraphProcedure

DOCUMENTS = {
    "pier": "Port Sorrel has a stone pier. Ada Quill keeps the lamp of Port Sorrel.",
    "ferry": "The ferry Petrel sails from Port Sorrel to Gull Island.",
    "captain": "Ivo Brandt commands the ferry Petrel.",
}
QUESTIONS = {
    "who-commands": ("Who commands the ferry Petrel?", "captain"),
    "which-lamp": ("Which lamp does Ada Quill keep?", "pier"),
}


class HarbourBenchmark:
    """Two questions about three documents; ``units`` says which knowledge bases are built."""

    def __init__(self, *units: BenchmarkRunUnit) -> None:
        self._units = units or (BenchmarkRunUnit("corpus"),)

    @property
    def manifest(self) -> BenchmarkManifest:
        return BenchmarkManifest("harbour", "v1", "test", "rag_qa")

    def resources(self) -> tuple[BenchmarkResource, ...]:
        return ()

    async def prepare(self, workspace: BenchmarkWorkspace) -> PreparedBenchmark:
        return PreparedBenchmark(self.manifest, workspace.root_dir)

    async def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:
        for name, text in DOCUMENTS.items():
            yield BenchmarkDocument(name, f"{name}.txt", "text/plain", data=text.encode())

    async def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:
        for case_id, (query, document_id) in QUESTIONS.items():
            evidence = BenchmarkEvidence(locator={"document_id": document_id})
            yield BenchmarkCase(case_id, query, BenchmarkExpected(answers=(document_id,), evidence=(evidence,)))

    async def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:
        for unit in self._units:
            yield unit

    def evaluators(self) -> tuple[BenchmarkEvaluatorProtocol, ...]:
        return (EvidenceRecallAtK(k=5), AnswerContains())


def every_mode(folder: Path) -> KnowledgeRecipe:
    """Vectors, words and a graph, all without a language model."""
    facts = SQLStore(f"sqlite:///{folder}/facts.db")
    return SharedStores(folder).recipe(HetaGraphProcedure.build(extraction="lexical"), sql=facts)


def by_words(folder: Path) -> KnowledgeRecipe:
    """Vectors and words."""
    return SharedStores(folder).recipe()
