"""BEIR's metrics on responses: names, labels, what is behind a score, and one ranking pass for all of them."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import pytest
from scoring import case, score

from heta_framework.evaluation import (
    BeirRetrievalMetric,
    BenchmarkCase,
    BenchmarkEvaluatorProtocol,
    BenchmarkEvidence,
    EvaluationScore,
    beir_default_metrics,
)
from heta_framework.evaluation.trec import judged_responses, labels_of
from heta_framework.kb import QueryResponse, QueryResult


def test_a_score_has_the_name_and_the_facts_of_the_metric() -> None:
    found = score(BeirRetrievalMetric("recall", 2), _asked({"a": 2, "b": 1, "c": 0}), _response("x", "a", "b"))
    assert found == EvaluationScore(
        "beir_recall@2",
        0.5,
        metadata={"relevant_documents": 2, "retrieved_documents": 2, "matched_documents": ["a"]},
    )
    assert not found.is_unlabelled


def test_the_default_metrics_come_metric_after_metric() -> None:
    names = [metric.name for metric in beir_default_metrics()]
    assert names[:6] == ["beir_ndcg@1", "beir_ndcg@3", "beir_ndcg@5", "beir_ndcg@10", "beir_ndcg@100", "beir_map@1"]
    assert (len(names), names[-1]) == (25, "beir_mrr@100")
    assert [metric.name for metric in beir_default_metrics(k_values=(5, 5))] == [
        f"beir_{metric}@5" for metric in ("ndcg", "map", "recall", "precision", "mrr")
    ]


def test_the_exponential_gain_is_named_in_the_score() -> None:
    asked, response = _asked({"low": 1, "high": 3}), _response("low", "high")
    linear = score(BeirRetrievalMetric("ndcg", 10), asked, response)
    exponential = score(BeirRetrievalMetric("ndcg", 10, gain="exponential"), asked, response)
    assert (linear.name, exponential.name) == ("beir_ndcg@10", "beir_ndcg_exponential@10")
    assert float(linear.value) > float(exponential.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("f1",), "metric must be one of: ndcg, map, recall, precision, mrr; found 'f1'"),
        (("ndcg", 0), "k must be greater than zero; found 0"),
        (("ndcg", 5, "square"), "gain must be one of: linear, exponential; found 'square'"),
        (("map", 5, "exponential"), "gain is a setting of ndcg alone; found metric 'map'"),
    ],
)
def test_another_metric_is_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        BeirRetrievalMetric(*arguments)


def test_labels_are_graded_zero_and_negative_and_the_highest_of_several_counts() -> None:
    evidence = [
        BenchmarkEvidence("plain"),
        *(
            BenchmarkEvidence(name, metadata={"relevance": relevance})
            for name, relevance in [
                ("twice", -1), ("twice", -2), ("zero", 0), ("text", "2.0"), ("words", "very"), ("cut", 1.9),
                ("endless", float("inf")), ("huge", 10**30), ("none", None),
            ]
        ),
        BenchmarkEvidence(text="no document is named here"),
    ]  # fmt: skip
    assert labels_of(case(evidence=evidence)) == {
        "plain": 1, "twice": -1, "zero": 0, "text": 2, "words": 1, "cut": 1, "endless": 1, "huge": 2**63 - 1, "none": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("labels", "reason"),
    [({}, "case has no BEIR qrels"), ({"a": 0, "b": -1}, "case has no positive BEIR qrels: all 2 labels are below 1")],
)
def test_a_case_without_a_relevant_document_is_unlabelled(labels: dict[str, int], reason: str) -> None:
    asked, metric = _asked(labels), BeirRetrievalMetric("ndcg", 10)
    found = score(metric, asked, _response("a"))
    assert (found.is_unlabelled, found.value, found.metadata["reason"]) == (True, 0.0, reason)
    assert not metric.is_labelled(asked)
    assert metric.is_labelled(_asked({"a": 0, "b": 1}))


def test_a_metric_says_how_many_documents_it_looks_at() -> None:
    metric = BeirRetrievalMetric("map", 7)
    assert (metric.required_top_k, metric.counts_documents) == (7, True)
    assert isinstance(metric, BenchmarkEvaluatorProtocol)
    assert hash(metric) == hash(BeirRetrievalMetric("map", 7))
    assert metric.name == "beir_map@7"
    assert metric == BeirRetrievalMetric("map", 7)


def test_the_25_metrics_rank_a_response_once(monkeypatch: pytest.MonkeyPatch) -> None:
    passes = []
    ranked = judged_responses.document_scores

    def counted(results: Any) -> dict[str, float]:
        passes.append(results)
        return ranked(results)

    monkeypatch.setattr(judged_responses, "document_scores", counted)
    asked, response = _asked({"a": 1}), _response("b", "a")
    anyio.run(_all_at_once, asked, response)
    assert len(passes) == 1


def test_responses_are_never_mistaken_for_each_other() -> None:
    """Many short-lived responses at the same addresses, in several threads, and one response under two cases."""
    metric = BeirRetrievalMetric("mrr", 10)

    def value_of(place: int) -> bool:
        rank = place % 7 + 1
        response = _response(*(f"x{other}" for other in range(rank - 1)), "a")
        right = score(metric, _asked({"a": 1}), response).value == 1 / rank
        return right and score(metric, _asked({"x0": 1}), response).value == (1.0 if rank > 1 else 0.0)

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(value_of, range(280)))


def test_a_scored_response_is_not_kept_alive() -> None:
    import weakref

    response = _response("a")
    score(BeirRetrievalMetric("mrr", 10), _asked({"a": 1}), response)
    gone = weakref.ref(response)
    del response
    gc.collect()
    assert gone() is None


async def _all_at_once(asked: BenchmarkCase, response: QueryResponse) -> None:
    async with anyio.create_task_group() as tasks:
        for metric in beir_default_metrics():
            tasks.start_soon(_evaluate, metric, asked, response)


async def _evaluate(metric: BeirRetrievalMetric, asked: BenchmarkCase, response: QueryResponse) -> None:
    await anyio.lowlevel.checkpoint()
    await metric.evaluate(case=asked, response=response)


def _asked(labels: Mapping[str, int]) -> BenchmarkCase:
    return case(evidence=[BenchmarkEvidence(name, metadata={"relevance": level}) for name, level in labels.items()])


def _response(*documents: str) -> QueryResponse:
    results = (
        QueryResult(f"chunk_{place}", "text", 1 / (place + 1), source={"document_id": document})
        for place, document in enumerate(documents)
    )
    return QueryResponse("m", tuple(results))
