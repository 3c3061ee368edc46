"""A benchmark run whose engine only hands out results, in a process of its own; on our package and the published one.

Each question gets ten chunks of about a kilobyte from a pool of 20,000, cited as engines cite. What is left to measure
is what a run does with its results: scoring, keeping and writing them. It prints a line of JSON: seconds, peak memory
in MiB, bytes of the report's files, and when the first question was asked (seconds since 1970). With ``--stop-after``
the engine answers so many questions, and the process ends at once when these cases are durable. Its neighbours are
imported as a script imports them: the other interpreter does not know this package.
"""

import argparse
import asyncio
import json
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

from heta_framework.common.stores import LocalObjectStore
from heta_framework.evaluation import (
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkEvidence,
    BenchmarkExpected,
    BenchmarkManifest,
    BenchmarkRunConfig,
    BenchmarkRunner,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    EvidenceRecallAtK,
    PreparedBenchmark,
)
from heta_framework.kb import KnowledgeParsers, KnowledgeRecipe, KnowledgeStores, ParseDocuments
from heta_framework.kb.parsing import DocumentParserRegistry, TextParser
from heta_framework.kb.search import QueryCitation, QueryEngineRegistry, QueryResponse, QueryResult
from peak_memory import peak_mb

MODE = "pool_search"
POOL = 20_000
TOP_K = 10
_LENGTH, _STEP = 1_000, 40
_FOREVER_S = 3_600
_STREAM = Random(1).randbytes(POOL * _STEP + _LENGTH).translate(b"etaoinshrdlu    " * 16).decode()


class Pool:
    """The engine: ten chunks for each question, the same whenever it is asked again; silence after ``at_most``."""

    mode = MODE
    required_assets = ()

    def __init__(self, at_most: int | None) -> None:
        self.first_asked_at: float | None = None
        self._left = at_most

    async def query(self, request: Any, context: Any) -> QueryResponse:
        """Hand out results, each cited."""
        if self.first_asked_at is None:
            self.first_asked_at = time.time()
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                await asyncio.sleep(_FOREVER_S)
        random = Random(request.text)
        results = tuple(_hit(number, random.random()) for number in random.sample(range(POOL), request.top_k))
        citations = tuple(
            QueryCitation(f"citation_{rank}", one.id, one.source, one.text, {"result_kind": one.kind})
            for rank, one in enumerate(results, start=1)
        )
        return QueryResponse(MODE, results, None, citations, (), {"answer_generation": "disabled"})


def _hit(number: int, score: float) -> QueryResult:
    document = f"doc_{number // 8:016x}"
    chunk, key = f"chunk_{number:016x}", f"raw/benchmarks/pool/test/{document}/{document}.txt"
    source = {
        "document_id": document,
        "object_key": key,
        "object_name": f"{document}.txt",
        "object_type": "txt",
        "chunk_ids": (chunk,),
        "page_index": 0,
        "chunk_index": number % 8,
        "token_start": number % 8 * 220,
        "token_end": number % 8 * 220 + 250,
    }
    metadata = {"document_id": document, "source_key": key, "search_asset": "chunk_vector_index:chunks"}
    return QueryResult(chunk, f"<{_STREAM[number * _STEP :][:_LENGTH]}>", score, "chunk", source, metadata)


class Questions:
    """A benchmark of numbered questions about one document."""

    manifest = BenchmarkManifest("pool", "1", "test", "retrieval")

    def __init__(self, count: int) -> None:
        self._count = count

    def resources(self) -> tuple[()]:
        """None."""
        return ()

    async def prepare(self, workspace: BenchmarkWorkspace) -> PreparedBenchmark:
        """Nothing to do."""
        return PreparedBenchmark(self.manifest, workspace.root_dir)

    async def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:
        """One."""
        yield BenchmarkDocument("one", "one.txt", "text/plain", data=b"one document")

    async def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:
        """The questions."""
        for number in range(self._count):
            evidence = BenchmarkEvidence(reference_id=f"doc_{number % POOL:016x}")
            expected = BenchmarkExpected(evidence=(evidence,))
            yield BenchmarkCase(f"case_{number:06}", f"What is said about number {number}?", expected)

    async def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:
        """One for all."""
        yield BenchmarkRunUnit("corpus")

    def evaluators(self) -> tuple[EvidenceRecallAtK]:
        """Recall of the evidence."""
        return (EvidenceRecallAtK(TOP_K),)


async def measure(folder: Path, cases: int, stop_after: int | None) -> dict[str, Any]:
    """Run it; everything that is written is below ``folder``."""
    objects, engine = LocalObjectStore(folder / "objects"), Pool(stop_after)
    options = {} if stop_after is None else {"on_case": _stopping(stop_after)}
    start, cpu = time.perf_counter(), time.process_time()
    result = await BenchmarkRunner().run(
        benchmark=Questions(cases),
        recipe=KnowledgeRecipe(
            stores=KnowledgeStores(objects=objects),
            parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser()])),
            steps=(ParseDocuments(),),
        ),
        knowledge_base_name="pool",
        query_modes=(MODE,),
        workspace=BenchmarkWorkspace(folder / "work", folder / "cache"),
        config=BenchmarkRunConfig(top_k=TOP_K, report_id="measured"),
        query_engines=QueryEngineRegistry([engine]),
        **options,
    )
    spent = {"run_s": time.perf_counter() - start, "run_cpu_s": time.process_time() - cpu, "run_peak_mb": peak_mb()}
    hits = sum(len(case.response.results) for case in result.report.case_results if case.response)
    if hits != cases * TOP_K:
        raise SystemExit(f"{hits} results of {cases} cases are in the report")
    assert result.report_key
    files = await objects.list(result.report_key.rpartition("/")[0])
    return spent | {
        "first_asked_at": engine.first_asked_at,
        "peak_mb": peak_mb(),
        "bytes": sum(info.size or 0 for info in files),
    }


def _stopping(after: int) -> Any:
    durable = 0

    def count(case: object, result: object) -> None:
        nonlocal durable
        durable += 1
        if durable >= after:
            print("{}", flush=True)
            os._exit(0)

    return count


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--cases", type=int, required=True)
    parser.add_argument("--stop-after", type=int)
    options = parser.parse_args()
    print(json.dumps(asyncio.run(measure(options.folder, options.cases, options.stop_after))))


if __name__ == "__main__":
    main()
