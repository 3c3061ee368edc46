"""A benchmark and evaluators of one's own, in several units, with engines and evaluators that fail."""

import json
import os
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from benchmarks_from_files import make_recipe, rounded
from observing import refusal, tell

from heta_framework.evaluation import (
    AnswerContains,
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkEvidence,
    BenchmarkExpected,
    BenchmarkManifest,
    BenchmarkRunConfig,
    BenchmarkRunner,
    BenchmarkRunResult,
    BenchmarkRunUnit,
    EvaluationScore,
    EvidenceRecallAtK,
    PreparedBenchmark,
)
from heta_framework.kb import QueryEngineRegistry, QueryResponse

TEXTS = {
    "north": "The north shop sells nets.",
    "south": "The south shop sells soap.",
    "west": "The west shop sells wax.",
}

CASES = [(f"{name}?",) for name in TEXTS]


class Shops:
    """Documents, one case about each, in the units that it is given."""

    manifest = BenchmarkManifest("shops", "v1", "dev", "qa", "case")

    def __init__(self, *units: BenchmarkRunUnit, **parts: Any) -> None:
        self.units = units or (BenchmarkRunUnit("corpus"),)
        self.names = parts.get("names", tuple(TEXTS))
        self.unlabelled = parts.get("unlabelled", ())
        self.document = parts.get("document")

    def resources(self) -> tuple[Any, ...]:
        return ()

    async def prepare(self, workspace: Any) -> PreparedBenchmark:
        return PreparedBenchmark(self.manifest, workspace.root_dir)

    async def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:
        for name in self.names:
            yield BenchmarkDocument(name, f"{name}.txt", "text/plain", data=TEXTS[name].encode())
        if self.document:
            yield self.document

    async def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:
        for name in self.names:
            key = f"raw/benchmarks/shops/dev/{name}/{name}.txt"
            evidence = () if name in self.unlabelled else (BenchmarkEvidence(locator={"source_key": key}),)
            yield BenchmarkCase(f"{name}?", f"What does the {name} shop sell?", BenchmarkExpected(evidence=evidence))

    async def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:
        for unit in self.units:
            yield unit

    def evaluators(self) -> tuple[Any, ...]:
        return (EvidenceRecallAtK(1), Length())


class Length:
    """How many results there are."""

    name = "length"

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        return EvaluationScore(self.name, float(len(response.results)), metadata={"case": case.case_id})


class Says:
    """Gives a value of one's own for each case, or raises it."""

    def __init__(self, name: str, **values: Any) -> None:
        self.name = name
        self.values = values

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        value = self.values[case.case_id.rstrip("?")]
        if isinstance(value, Exception):
            raise value
        return EvaluationScore(self.name, value)


class Engine:
    """A query mode of one's own: fails for the cases that it is told."""

    mode = "own_search"
    required_assets = ()

    def __init__(self, *fails_for: str) -> None:
        self.fails_for = fails_for
        self.asked: list[list[Any]] = []

    async def query(self, request: Any, context: Any) -> QueryResponse:
        self.asked.append([request.text, request.mode, request.top_k, dict(request.options), request.trace])
        if any(name in request.text for name in self.fails_for):
            raise RuntimeError("the shop is closed")
        return QueryResponse(self.mode, answer="nets")


async def program() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        try:
            return {
                "units": await units(),
                "names": await names(),
                "engine": await with_engine(),
                "values": await values(),
                "failures": await failures(),
                "unlabelled": await unlabelled(),
                "refused": await refused(),
                "again": await again(),
            }
        finally:
            os.chdir("/")


async def run(benchmark: Any, *modes: str, folder: str | None = None, **more: Any) -> BenchmarkRunResult:
    return await BenchmarkRunner().run(
        benchmark=benchmark,
        recipe=make_recipe(Path(folder or tempfile.mkdtemp(dir="."))),
        knowledge_base_name=more.pop("name", "shops"),
        query_modes=more.pop("modes", modes or ("vector_search",)),
        **more,
    )


async def units() -> dict[str, Any]:
    one = BenchmarkRunUnit("one", ("north",), ("north?",))
    two = BenchmarkRunUnit("two", ("south", "west"), ("south?", "west?"))
    result = await run(Shops(one, two))
    cases, asked = result.report.case_results, ("benchmark_run_unit", "knowledge_base_name")
    return {
        "knowledge bases": [kb.name for kb in result.knowledge_bases],
        "report of": result.report.knowledge_base_name,
        "report in": str(result.report_key).partition("/eval")[0],
        "asked": [[case.case_id, *(case.metadata[name] for name in asked)] for case in cases],
        "sees": [sorted(hit.source["object_name"] for hit in case.response.results) for case in cases if case.response],
        "recall": result.report.score_summary["vector_search.evidence_recall@1"],
        "manifests": [one["name"] for one in result.report.knowledge_base_manifest["knowledge_bases"]],
        "documents": list(result.benchmark_document_keys),
        "run_units": len(result.report.metadata["run_units"]),
    }


async def names() -> dict[str, Any]:
    async def of(*unit_ids: str) -> list[str]:
        units = (BenchmarkRunUnit(*one) for one in zip(unit_ids, [(name,) for name in TEXTS], CASES, strict=False))
        return [kb.name for kb in (await run(Shops(*units))).knowledge_bases]

    return {
        "plain": await of("a1", "b2"),
        "capitals": await of("ADI_2009"),
        "one unit of a part": await of("part"),
        "whole": [kb.name for kb in (await run(Shops(BenchmarkRunUnit("anything")))).knowledge_bases],
    }


async def with_engine() -> dict[str, Any]:
    engine = Engine("south")
    config = BenchmarkRunConfig(top_k=3, query_options={"x": 1}, trace=True, max_concurrent_queries=1)
    result = await run(
        Shops(),
        engine.mode,
        "vector_search",
        query_engines=QueryEngineRegistry.defaults().register(engine),
        evaluators=(Length(),),
        config=config,
    )
    cases = result.report.case_results
    failed = [case for case in cases if case.error]
    return {
        "asked": [engine.asked[0], sorted({text for text, *_ in engine.asked})],
        "order": [[case.case_id, case.query_mode] for case in cases],
        "failed": [[case.case_id, case.response, list(case.scores), error_of(case)] for case in failed],
        "summary": rounded(result.report.score_summary),
    }


def error_of(case: Any) -> dict[str, Any] | None:
    return case.error.to_dict() if case.error else None


async def values() -> dict[str, Any]:
    says = (
        Says("number", north=1.0, south=0.5, west=0.0),
        Says("bool", north=True, south=False, west=False),
        Says("text", north="good", south="bad", west="ugly"),
    )
    report = (await run(Shops(), evaluators=says)).report
    return {
        "summary": rounded(report.score_summary),
        "kept": [[score.value for score in case.scores] for case in report.case_results],
    }


async def failures() -> dict[str, Any]:
    raises = Says("raises", north=1.0, south=RuntimeError("no ink"), west=1.0)
    report = (await run(Shops(), evaluators=(Length(), raises))).report
    nobody = await refusal(
        lambda: run(Shops(), "own_search", query_engines=QueryEngineRegistry([Engine("shop")]), evaluators=(Length(),))
    )
    return {
        "an evaluator raises": [
            rounded(report.score_summary),
            [[score.name for score in case.scores] for case in report.case_results],
            [[case.response is None, case.error is None] for case in report.case_results],
        ],
        "all cases fail": nobody,
        "an unknown mode": await refusal(lambda: run(Shops(), "telepathy")),
    }


async def unlabelled() -> dict[str, Any]:
    report = (await run(Shops(unlabelled=("west",)), evaluators=(EvidenceRecallAtK(1), AnswerContains()))).report
    return {
        "summary": dict(report.score_summary),
        "scores": [[score.value, score.metadata.get("skipped")] for score in report.case_results[2].scores],
    }


async def refused() -> dict[str, Any]:
    unit = BenchmarkRunUnit
    elsewhere = BenchmarkDocument("uri", "uri.txt", "text/plain", source_uri="ftp://example.org/uri.txt")
    return {
        "no modes": await refusal(lambda: run(Shops(), modes=())),
        "a blank mode": await refusal(lambda: run(Shops(), " ")),
        "a bad name": await refusal(lambda: run(Shops(), name="a/b")),
        "an unknown document": await refusal(lambda: run(Shops(unit("u", ("east",))))),
        "an unknown case": await refusal(lambda: run(Shops(unit("u", (), ("east?",))))),
        "a case in two units": await refusal(lambda: run(Shops(unit("u", ("north",)), unit("v", ("south",))))),
        "twice the same unit": await refusal(lambda: run(Shops(unit("u", ("north",)), unit("u", ("south",))))),
        "twice the same document": await refusal(lambda: run(Shops(names=("north", "north")))),
        "nothing at all": await refusal(lambda: run(Shops(names=()))),
        "content that cannot be had": await refusal(lambda: run(Shops(document=elsewhere))),
        "no object store": await refusal(without_objects),
    }


async def without_objects() -> None:
    recipe = make_recipe(Path("n"))
    bare = type(recipe)(models=recipe.models, stores=type(recipe.stores)(), parsers=recipe.parsers, steps=recipe.steps)
    await BenchmarkRunner().run(
        benchmark=Shops(), recipe=bare, knowledge_base_name="kb", query_modes=("vector_search",)
    )


async def again() -> dict[str, Any]:
    """The same report twice in one store."""
    config = BenchmarkRunConfig(report_id="same")
    first = await run(Shops(), folder="again", config=config)
    second = await refusal(lambda: run(Shops(), folder="again", config=config))
    saved = json.loads((Path("again") / str(first.report_key)).read_text(encoding="utf-8"))
    return {"second": second, "saved": saved["score_summary"] == dict(first.report.score_summary)}


if __name__ == "__main__":
    tell(program)
