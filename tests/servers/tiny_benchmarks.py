"""A benchmark of a handful of texts, for tests of its runner: real documents, and questions whose answers are known."""

import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tiny_recipes import SharedStores

from heta_framework.evaluation.runner import BenchmarkRunConfig, BenchmarkRunner, BenchmarkRunResult
from heta_framework.evaluation.types import (
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkEvidence,
    BenchmarkExpected,
    BenchmarkManifest,
    BenchmarkResource,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    EvaluationScore,
    PreparedBenchmark,
)
from heta_framework.kb import KnowledgeRecipe, QueryContext, QueryRequest, QueryResponse, QueryResult

VECTOR, FULL_TEXT, SCRIPTED = "vector_search", "full_text_search", "scripted"
WORDS = ("harbour", "orchard", "lantern", "granary", "weaver", "quarry", "ferry", "beacon", "mill", "chapel")


@dataclass
class TinyBenchmark:
    """Texts by document id, cases, units and evaluators."""

    texts: Mapping[str, str]
    questions: Iterable[BenchmarkCase]
    units: tuple[BenchmarkRunUnit, ...] = (BenchmarkRunUnit("corpus"),)
    scoring: tuple[Any, ...] = ()
    name: str = "tiny"

    @property
    def manifest(self) -> BenchmarkManifest:
        return BenchmarkManifest(self.name, "v1", "test", "rag_qa")

    def resources(self) -> tuple[BenchmarkResource, ...]:
        return ()

    async def prepare(self, workspace: BenchmarkWorkspace) -> PreparedBenchmark:
        return PreparedBenchmark(self.manifest, workspace.root_dir)

    async def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:
        for document_id, text in self.texts.items():
            yield BenchmarkDocument(document_id, "text.txt", "text/plain", data=text.encode())

    async def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:
        for case in self.questions:
            yield case

    async def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:
        for unit in self.units:
            yield unit

    def evaluators(self) -> tuple[Any, ...]:
        return self.scoring


@dataclass(frozen=True)
class Finds:
    """Whether the document of the case's evidence is among the results; a case without evidence has no label."""

    name: str = "finds"
    required_top_k: int = 0
    counts_documents: bool = False

    def is_labelled(self, case: BenchmarkCase) -> bool:
        return bool(case.expected.evidence)

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        if not self.is_labelled(case):
            return EvaluationScore(self.name, 0.0, metadata={"skipped": True, "reason": "no evidence"})
        return EvaluationScore(self.name, case.expected.evidence[0].reference_id in found_documents(response))


def found_documents(response: QueryResponse) -> list[str]:
    """The ids of the documents of a response, in the order of its results."""
    return [str(result.source["document_id"]) for result in response.results]


def texts(count: int, prefix: str = "d") -> dict[str, str]:
    """So many documents, each about a thing of its own."""
    return {f"{prefix}{n}": f"The {WORDS[n % len(WORDS)]} number{prefix}{n} stands by the road." for n in range(count)}


def question(n: int, document_id: str | None = None, *, prefix: str = "d") -> BenchmarkCase:
    """The case that asks for the n-th document; its evidence unless another document is named."""
    evidence = BenchmarkEvidence(reference_id=document_id or f"{prefix}{n}")
    return BenchmarkCase(f"c_{prefix}{n}", f"Where is number{prefix}{n}?", BenchmarkExpected(evidence=(evidence,)))


def tiny(count: int = 4, **changes: Any) -> TinyBenchmark:
    """So many documents, and a question to each."""
    given: dict[str, Any] = {"texts": texts(count), "questions": [question(n) for n in range(count)]}
    return TinyBenchmark(**{"scoring": (Finds(),), **given, **changes})


@dataclass
class Engine:
    """A query engine that answers as it is told; ``asked`` holds every request."""

    answer: Callable[[QueryRequest], Any]
    mode: str = SCRIPTED
    required_assets: frozenset[Any] = frozenset()
    asked: list[QueryRequest] = field(default_factory=list)

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        self.asked.append(request)
        response = self.answer(request)
        answered: QueryResponse = await response if hasattr(response, "__await__") else response
        return answered


def response_of(*document_ids: str, mode: str = SCRIPTED) -> QueryResponse:
    """A response whose results are one chunk of each document."""
    results = [
        QueryResult(f"chunk_{place}_{one}", f"text of {one}", 1 / (place + 1), source={"document_id": one})
        for place, one in enumerate(document_ids)
    ]
    return QueryResponse(mode, tuple(results))


class Bench:
    """Runs benchmarks on tiny recipes below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.stores = SharedStores(root)

    async def run(
        self, benchmark: Any, *modes: str, report: str | None = "report", **options: Any
    ) -> BenchmarkRunResult:
        """Run it under a report id; what is no argument of `BenchmarkRunner.run` goes into its config.

        The recipe is tiny, and has no steps at all where a scripted engine answers.
        """
        names = ("evaluators", "query_engines", "initial_artifacts", "progress", "on_case")
        given = {name: options.pop(name) for name in names if name in options}
        return await BenchmarkRunner().run(
            benchmark=benchmark,
            recipe=options.pop("recipe", None) or self._recipe(modes),
            knowledge_base_name=options.pop("kb", "kb"),
            query_modes=modes or (VECTOR,),
            workspace=BenchmarkWorkspace(self.root / "work", self.root / "cache"),
            config=BenchmarkRunConfig(report_id=report, **options),
            **given,
        )

    def _recipe(self, modes: tuple[str, ...]) -> KnowledgeRecipe:
        whole = self.stores.recipe()
        return replace(whole, steps=()) if modes == (SCRIPTED,) else whole

    def lines(self, report: str = "report", kb: str = "kb") -> list[dict[str, Any]]:
        """The lines of ``cases.jsonl``."""
        return [json.loads(line) for line in self.file("cases.jsonl", report, kb).read_text().splitlines()]

    def file(self, name: str, report: str = "report", kb: str = "kb") -> Path:
        """A file of a report."""
        return self.root / "objects/_heta/knowledge_bases" / kb / "evaluations" / report / name
