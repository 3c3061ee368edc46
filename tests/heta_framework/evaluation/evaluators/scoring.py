"""Short ways to say: a case that expects this, a response that holds that, and what an evaluator makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import anyio

from heta_framework.evaluation import BenchmarkCase, BenchmarkEvidence, BenchmarkExpected, EvaluationScore
from heta_framework.evaluation.evaluators.judged.evaluator import JudgedEvaluator
from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol
from heta_framework.kb import QueryResponse, QueryResult


def case(*answers: str, evidence: Sequence[BenchmarkEvidence] = (), value: Any = None, **more: Any) -> BenchmarkCase:
    expected = BenchmarkExpected(answers, tuple(evidence), value, more.pop("expected_metadata", {}))
    return BenchmarkCase("case", "Which pier is it?", expected, **more)


def result(text: str = "Some text.", result_id: str = "chunk_1", *, metadata: Any = None, **source: Any) -> QueryResult:
    return QueryResult(result_id, text, 1.0, source=source, metadata=metadata or {})


def score(evaluator: BenchmarkEvaluatorProtocol, asked: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
    if isinstance(evaluator, JudgedEvaluator):
        return anyio.run(partial(evaluator.evaluate, case=asked, response=response))
    try:  # the others wait for nothing, and an event loop for each of thousands of examples takes seconds
        evaluator.evaluate(case=asked, response=response).send(None)
    except StopIteration as finished:
        return finished.value  # type: ignore[no-any-return]
    raise AssertionError(f"{evaluator!r} waits for something")


def answered(evaluator: BenchmarkEvaluatorProtocol, answer: str | None, *expected: str) -> EvaluationScore:
    return score(evaluator, case(*expected), QueryResponse("m", answer=answer))


def found(
    evaluator: BenchmarkEvaluatorProtocol,
    evidence: BenchmarkEvidence | Sequence[BenchmarkEvidence],
    *results: QueryResult,
) -> EvaluationScore:
    labels = [evidence] if isinstance(evidence, BenchmarkEvidence) else evidence
    return score(evaluator, case(evidence=labels), QueryResponse("m", results))


def at(**locator: Any) -> BenchmarkEvidence:
    return BenchmarkEvidence(locator=locator)


def is_unlabelled(verdict: EvaluationScore) -> Mapping[str, Any]:
    """Its metadata, after making sure that it is."""
    assert verdict.is_unlabelled, verdict
    assert verdict.metadata["reason"]
    return verdict.metadata
