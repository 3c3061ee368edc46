"""The page about evaluators: the protocol, each built-in one, and one of one's own in both places, as written."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages_benchmark import HarbourBenchmark, by_words

from heta_framework.evaluation import (
    AnswerContains,
    AnswerExactMatch,
    BeirRetrievalMetric,
    BenchmarkCase,
    BenchmarkEvaluatorProtocol,
    BenchmarkEvidence,
    BenchmarkExpected,
    BenchmarkRunConfig,
    BenchmarkRunner,
    EvaluationScore,
    EvidenceRecallAtK,
    beir_default_metrics,
)
from heta_framework.kb import QueryResponse, QueryResult

pytestmark = pytest.mark.anyio


class MyEvaluator:
    name = "my_score"

    async def evaluate(self, *, case, response):  # type: ignore[no-untyped-def]
        return EvaluationScore(
            name=self.name,
            value=1.0,
        )


class WithMyEvaluator(HarbourBenchmark):
    def evaluators(self):  # type: ignore[no-untyped-def]
        return (MyEvaluator(),)


async def test_a_benchmark_may_bring_an_evaluator_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = await BenchmarkRunner().run(
        benchmark=WithMyEvaluator(),
        recipe=by_words(tmp_path),
        knowledge_base_name="kb",
        query_modes=("vector_search",),
        config=BenchmarkRunConfig(persist_report=False),
    )
    assert result.report.score_summary == {"vector_search.my_score": 1.0}


async def test_a_call_may_bring_an_evaluator_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    benchmark, recipe = HarbourBenchmark(), by_words(tmp_path)
    running = BenchmarkRunner().run(
        benchmark=benchmark,
        recipe=recipe,
        knowledge_base_name="kb",
        query_modes=("vector_search",),
        evaluators=(MyEvaluator(),),
    )
    assert (await running).report.score_summary == {"vector_search.my_score": 1.0}


def test_an_evaluator_is_a_name_and_an_evaluate() -> None:
    built_in = (EvidenceRecallAtK(), BeirRetrievalMetric("ndcg"), AnswerContains(), AnswerExactMatch())
    assert all(isinstance(one, BenchmarkEvaluatorProtocol) for one in (MyEvaluator(), *built_in))
    assert not isinstance(EvaluationScore("s", 1.0), BenchmarkEvaluatorProtocol)


@pytest.mark.parametrize("value", [0.8, True, "mostly right"])
def test_a_score_is_a_number_a_bool_or_a_text(value: float | bool | str) -> None:
    score = EvaluationScore(
        name="evidence_recall@5",
        value=value,
        passed=None,
        metadata={"matched": 4, "expected": 5},
    )
    assert score.to_dict() == {
        "name": "evidence_recall@5",
        "value": value,
        "passed": None,
        "metadata": {"matched": 4, "expected": 5},
    }


async def test_evidence_recall_looks_at_the_first_k_results() -> None:
    case = _labelled(*(BenchmarkEvidence(locator={"document_id": name}) for name in ("a", "b", "late")))
    response = _found(*"abxyz", "late")
    score = await EvidenceRecallAtK(k=5).evaluate(case=case, response=response)
    assert (score.name, score.value) == ("evidence_recall@5", 2 / 3)
    assert (score.metadata["matched"], score.metadata["expected"]) == (2, 3)
    assert (await EvidenceRecallAtK(k=6).evaluate(case=case, response=response)).value == 1.0


@pytest.mark.parametrize(
    ("evidence", "value"),
    [
        (BenchmarkEvidence(reference_id="elsewhere", locator={"document_id": "a"}, text="not there"), 1.0),
        (BenchmarkEvidence(reference_id="a", locator={"document_id": "elsewhere"}, text="text of a"), 0.0),
        (BenchmarkEvidence(reference_id="a", text="not there"), 1.0),
        (BenchmarkEvidence(reference_id="elsewhere", text="text of a"), 0.0),
        (BenchmarkEvidence(text="TEXT  of a"), 1.0),
        (BenchmarkEvidence(text="not there"), 0.0),
    ],
)
async def test_the_locator_decides_then_the_reference_then_the_text(evidence: BenchmarkEvidence, value: float) -> None:
    score = await EvidenceRecallAtK(k=5).evaluate(case=_labelled(evidence), response=_found("a", "b"))
    assert score.value == value


@pytest.mark.parametrize("key", ["document_id", "source_key", "object_key", "page_index", "chunk_id"])
async def test_a_locator_may_name(key: str) -> None:
    case = _labelled(BenchmarkEvidence(locator={key: 3 if key == "page_index" else "here"}))
    sources = {
        "source_key": {"object_key": "here"},
        "page_index": {"page_index": 3},
        "chunk_id": {"chunk_ids": ["here"]},
    }
    source = sources.get(key, {key: "here"})
    response = QueryResponse("m", (QueryResult("r", "text", source=source),))
    assert (await EvidenceRecallAtK(k=5).evaluate(case=case, response=response)).value == 1.0


def test_the_metrics_of_beir_have_names() -> None:
    assert BeirRetrievalMetric(metric="ndcg", k=10).name == "beir_ndcg@10"
    assert BeirRetrievalMetric(metric="recall", k=10).name == "beir_recall@10"
    for metric in ("ndcg", "map", "recall", "precision", "mrr"):
        assert BeirRetrievalMetric(metric=metric, k=3).name == f"beir_{metric}@3"  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="metric must be one of: ndcg, map, recall, precision, mrr"):
        BeirRetrievalMetric(metric="hits")  # type: ignore[arg-type]


async def test_chunks_of_one_document_count_once() -> None:
    case = _labelled(BenchmarkEvidence(reference_id="b", metadata={"relevance": 1}))
    response = _found("a", "a", "a", "b")
    assert (await BeirRetrievalMetric(metric="mrr", k=10).evaluate(case=case, response=response)).value == 0.5
    assert (await BeirRetrievalMetric(metric="recall", k=2).evaluate(case=case, response=response)).value == 1.0


def test_the_default_metrics_are_five_at_each_k() -> None:
    evaluators = beir_default_metrics(
        k_values=(1, 3, 5, 10, 100),
    )
    metrics = ("ndcg", "map", "recall", "precision", "mrr")
    assert [one.name for one in evaluators] == [f"beir_{name}@{k}" for name in metrics for k in (1, 3, 5, 10, 100)]
    assert evaluators == beir_default_metrics()


@pytest.mark.parametrize(
    ("answer", "contains", "exact"),
    [
        ("It was Ada  Quill.", True, False),
        ("ada quill", True, True),
        ("Ivo Brandt", False, False),
        (None, False, False),
    ],
)
async def test_answers_are_compared_loosely_or_exactly(answer: str | None, contains: bool, exact: bool) -> None:
    case = BenchmarkCase("c", "q", BenchmarkExpected(answers=("Somebody Else", "Ada Quill")))
    response = QueryResponse("m", answer=answer)
    loose = await AnswerContains().evaluate(case=case, response=response)
    strict = await AnswerExactMatch().evaluate(case=case, response=response)
    assert (loose.name, loose.value, loose.passed) == ("answer_contains", contains, contains)
    assert (strict.name, strict.value, strict.passed) == ("answer_exact_match", exact, exact)


def _labelled(*evidence: BenchmarkEvidence) -> BenchmarkCase:
    return BenchmarkCase("case", "question", BenchmarkExpected(evidence=evidence))


def _found(*document_ids: str) -> QueryResponse:
    results = tuple(
        QueryResult(f"{name}-{rank}", f"The text of {name}.", 1 / rank, source={"document_id": name})
        for rank, name in enumerate(document_ids, 1)
    )
    return QueryResponse("m", results)
