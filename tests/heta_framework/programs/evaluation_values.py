"""The value types of an evaluation: what they hold, what they refuse, how they are written down, and what is scored."""

import asyncio
from pathlib import Path
from typing import Any

from observing import lacking, refusal, tell

from heta_framework.evaluation import (
    AnswerContains,
    AnswerExactMatch,
    BeirRetrievalMetric,
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkEvaluatorProtocol,
    BenchmarkEvidence,
    BenchmarkExpected,
    BenchmarkManifest,
    BenchmarkProtocol,
    BenchmarkResource,
    BenchmarkRunConfig,
    BenchmarkRunResult,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    EvaluationCaseResult,
    EvaluationError,
    EvaluationReport,
    EvaluationScore,
    EvidenceRecallAtK,
    PreparedBenchmark,
    beir_default_metrics,
    default_report_key,
)
from heta_framework.kb import QueryCitation, QueryResponse, QueryResult, QueryTraceEvent

RETRIEVAL_METADATA = ("relevant_documents", "retrieved_documents", "matched_documents")
MANIFEST = BenchmarkManifest(" harbour ", "v1", "test", "rag_qa", homepage="https://example.org", metadata={"a": 1})
DOCUMENT = BenchmarkDocument("pier", "pier.txt", "text/plain", data=b"stone", metadata={"year": 1925})
EVIDENCE = BenchmarkEvidence("pier", {"document_id": "pier"}, " Stone. ", {"relevance": 2})
CASE = BenchmarkCase("c1", "What is it of?", BenchmarkExpected(("stone",), (EVIDENCE,), 3.5), {"kind": "what"})
RESPONSE = QueryResponse(
    "vector_search",
    (QueryResult("chunk_1", "Stone.", 0.5, source={"document_id": "pier"}),),
    "It is of stone.",
    (QueryCitation("citation_1", "chunk_1"),),
    (QueryTraceEvent("search", "asked"),),
)
RESULT = EvaluationCaseResult(
    "c1", "What is it of?", "vector_search", (EvaluationScore("s", True, True, {"n": 1}),), RESPONSE, 1.25
)
FAILED = EvaluationCaseResult("c1", "q", "vector_search", error=EvaluationError("gone", "OSError", True))


async def program() -> dict[str, Any]:
    return {
        "written down": written_down(),
        "normalised": normalised(),
        "refused": await refused(),
        "keys": keys(),
        "protocols": protocols(),
        "answers": await answers(),
        "evidence": await evidence(),
        "retrieval": await retrieval(),
    }


def written_down() -> dict[str, Any]:
    values = {
        "manifest": MANIFEST,
        "resource": BenchmarkResource("zip", "https://example.org/a.zip", "archive", "sha256:0", 10),
        "document": DOCUMENT,
        "document on disk": BenchmarkDocument("a", "a.pdf", "application/pdf", path=Path("a.pdf")),
        "case": CASE,
        "unit": BenchmarkRunUnit("u", ("a", "b"), ("c",), {"x": 1}),
        "score": EvaluationScore("s", 0.5),
        "text score": EvaluationScore("s", "mostly"),
        "error": FAILED.error,
        "result": RESULT,
        "failed result": FAILED,
    }
    written = {name: value.to_dict() for name, value in values.items()}
    report = make_report().to_dict()
    return written | {
        "report": report | {"case_results": [sorted(case) for case in report["case_results"]]},
        "first fields of the report": list(report)[:13],
    }


def make_report() -> EvaluationReport:
    return EvaluationReport(
        report_id="r1",
        benchmark=MANIFEST,
        knowledge_base_name="kb",
        knowledge_base_manifest={"path": Path("a/b"), "tuple": (1, 2)},
        recipe_manifest={},
        query_modes=("vector_search",),
        score_summary={"vector_search.s": 1.0},
        case_results=(RESULT, FAILED),
        started_at="2026-01-01T00:00:00+00:00",
        finished_at="2026-01-01T00:00:01+00:00",
    )


def normalised() -> dict[str, Any]:
    given = {"a": 1}
    unit = BenchmarkRunUnit(" u ", ["a"], ["c"])  # type: ignore[arg-type]
    case = BenchmarkCase(" c ", " q ", labels=given)
    given["a"] = 2
    workspace = BenchmarkWorkspace("root", "cache")  # type: ignore[arg-type]
    return {
        "unit": [unit.unit_id, list(unit.document_ids), isinstance(unit.document_ids, tuple)],
        "case": [case.case_id, case.query, dict(case.labels)],
        "workspace": [isinstance(workspace.root_dir, Path), workspace.output_dir],
        "corpus": [BenchmarkRunUnit("u").is_corpus_level, unit.is_corpus_level],
        "equal": BenchmarkRunUnit("u", ("a",)) == BenchmarkRunUnit("u", ("a",)),
        "key": MANIFEST.key,
        "expected": BenchmarkCase("c", "q").expected == BenchmarkExpected(),
    }


async def refused() -> dict[str, Any]:
    attempts = {
        "a blank name": lambda: BenchmarkManifest(" ", "v", "s", "t"),
        "an unknown scope": lambda: BenchmarkManifest("n", "v", "s", "t", "city"),
        "an unknown kind": lambda: BenchmarkResource("n", "u", "tape"),
        "no bytes": lambda: BenchmarkResource("n", "u", size_bytes=0),
        "a path for a name": lambda: BenchmarkDocument("d", "a/b.txt", "text/plain", data=b""),
        "no content": lambda: BenchmarkDocument("d", "b.txt", "text/plain"),
        "two contents": lambda: BenchmarkDocument("d", "b.txt", "text/plain", data=b"", source_uri="https://a"),
        "empty evidence": BenchmarkEvidence,
        "a blank answer": lambda: BenchmarkExpected(answers=(" ",)),
        "a blank query": lambda: BenchmarkCase("c", " "),
        "a blank score": lambda: EvaluationScore("s", " "),
        "not a number": lambda: EvaluationScore("s", float("nan")),
        "negative latency": lambda: EvaluationCaseResult("c", "q", "m", response=RESPONSE, latency_ms=-1.0),
        "neither": lambda: EvaluationCaseResult("c", "q", "m"),
        "top_k 0": lambda: BenchmarkRunConfig(top_k=0),
        "no concurrency": lambda: BenchmarkRunConfig(max_concurrent_queries=0),
        "a blank report id": lambda: BenchmarkRunConfig(report_id=" "),
        "no knowledge base": lambda: BenchmarkRunResult((), make_report(), ()),
        "k 0": lambda: EvidenceRecallAtK(0),
        "a metric": lambda: BeirRetrievalMetric("hits"),
        "metric at 0": lambda: BeirRetrievalMetric("ndcg", 0),
    }
    return {name: await refusal(attempt) for name, attempt in attempts.items()}


def keys() -> dict[str, Any]:
    return {
        "raw": DOCUMENT.raw_key(MANIFEST),
        "report": default_report_key("kb_1", "eval_1"),
        "report of names with hyphens": default_report_key("my-kb", "eval-1"),
        "report of another name": default_report_key("My KB", "First Run"),
    }


def protocols() -> dict[str, Any]:
    evaluators = (AnswerContains(), AnswerExactMatch(), EvidenceRecallAtK(), BeirRetrievalMetric("map"))
    return {
        "evaluators": [isinstance(one, BenchmarkEvaluatorProtocol) for one in evaluators],
        "no evaluator": isinstance(MANIFEST, BenchmarkEvaluatorProtocol),
        "no benchmark": isinstance(MANIFEST, BenchmarkProtocol),
        "names": [one.name for one in evaluators],
        "defaults": [one.name for one in beir_default_metrics()],
        "prepared": list(PreparedBenchmark(MANIFEST, Path()).resources),
    }


async def answers() -> dict[str, Any]:
    async def asked(answer: str | None, *expected: str) -> list[Any]:
        case = BenchmarkCase("c", "q", BenchmarkExpected(answers=expected))
        scores = [
            await evaluator.evaluate(case=case, response=QueryResponse("m", answer=answer))
            for evaluator in (AnswerContains(), AnswerExactMatch())
        ]
        return [[score.name, score.value, score.passed, dict(score.metadata)] for score in scores]

    return {
        "equal": await asked("Ada  Quill", "ada quill"),
        "inside": await asked("It was Ada Quill.", "Ivo Brandt", "Ada Quill"),
        "none": await asked("Ivo", "Ada"),
        "no answer": await asked(None, "Ada"),
        "no label": await asked("Ada"),
        "inside of a word": await asked("I do not know", "no"),
        "inside of a number": await asked("in 2010", "1"),
    }


async def evidence() -> dict[str, Any]:
    source = {"document_id": "doc_a", "object_key": "raw/a.txt", "page_index": 4, "chunk_ids": ("k1", "k2")}
    result = QueryResult("k1", "The stone pier of Port Sorrel.", 0.9, source=source)
    other = QueryResult("k9", "Nothing of the kind.", 0.8, source={"document_id": "doc_b", "page_index": 1})

    async def recall(*labels: BenchmarkEvidence, k: int = 5) -> list[Any]:
        case = BenchmarkCase("c", "q", BenchmarkExpected(evidence=labels))
        score = await EvidenceRecallAtK(k).evaluate(case=case, response=QueryResponse("m", (other, result)))
        counts = [score.metadata.get(name) for name in ("matched", "expected", "skipped", "reason")]
        return [score.name, score.value, score.passed, counts]

    def at(**locator: Any) -> BenchmarkEvidence:
        return BenchmarkEvidence(locator=locator)

    return {
        "document": await recall(at(document_id="doc_a")),
        "key": await recall(at(source_key="raw/a.txt"), at(object_key="raw/b.txt")),
        "prefix": await recall(at(source_key_prefix="raw/")),
        "chunk": await recall(at(chunk_id="k1"), at(chunk_id="k2"), at(chunk_id="k3")),
        "page": await recall(at(page_index=4), at(page_index="4"), at(page_index=5)),
        "several fields": await recall(at(document_id="doc_a", page_index=4), at(document_id="doc_b", page_index=4)),
        "below k": await recall(at(document_id="doc_a"), k=1),
        "reference": await recall(BenchmarkEvidence("doc_a"), BenchmarkEvidence("k1"), BenchmarkEvidence("other")),
        "text": await recall(BenchmarkEvidence(text="the STONE  pier")),
        "longer text": await recall(BenchmarkEvidence(text="Once more: the stone pier of Port Sorrel. It is old.")),
        "place and other text": await recall(BenchmarkEvidence(locator={"document_id": "doc_a"}, text="elsewhere")),
        "other reference and text": await recall(BenchmarkEvidence("other", text="stone pier")),
        "no label": await recall(),
    }


async def retrieval() -> dict[str, Any]:
    def hit(rank: int, document: str) -> QueryResult:
        key = f"raw/benchmarks/harbour/test/{document}/{document}.txt"
        return QueryResult(
            f"k{rank}", "text", 1 / rank, source={"object_key": key, "document_id": "doc_0123456789abcdef"}
        )

    response = QueryResponse("m", tuple(hit(rank, name) for rank, name in enumerate("baacd", 1)))

    async def measured(labels: dict[str, int], k: int) -> dict[str, float]:
        evidence = tuple(BenchmarkEvidence(name, metadata={"relevance": gain}) for name, gain in labels.items())
        case = BenchmarkCase("c", "q", BenchmarkExpected(evidence=evidence))
        metrics = beir_default_metrics(k_values=(k,))
        scores = await asyncio.gather(*(one.evaluate(case=case, response=response) for one in metrics))
        return {score.name: round(float(score.value), 6) for score in scores}

    unlabelled = BenchmarkCase("c", "q")
    skipped = await BeirRetrievalMetric("ndcg").evaluate(case=unlabelled, response=response)
    one = BenchmarkCase("c", "q", BenchmarkExpected(evidence=(BenchmarkEvidence("a"), BenchmarkEvidence("z"))))
    scored = await BeirRetrievalMetric("recall").evaluate(case=one, response=response)
    return {
        "binary": await measured({"a": 1, "c": 1}, 10),
        "nothing at 1": await measured({"a": 1, "c": 1}, 1),
        "more relevant than looked at": await measured({"b": 1, "c": 1, "d": 1}, 2),
        "graded": await measured({"a": 1, "c": 3}, 10),
        "not relevant": await measured({"a": 1, "c": 0}, 10),
        "no label": [skipped.value, dict(skipped.metadata)],
        "metadata that lack": lacking(scored.metadata, RETRIEVAL_METADATA),
    }


if __name__ == "__main__":
    tell(program)
