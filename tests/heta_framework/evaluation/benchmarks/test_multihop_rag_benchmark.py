"""MultiHop-RAG: its two files, facts as evidence, questions that nothing answers, and the metrics of its paper."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from heta_framework.common.data_files import DatasetFormatError
from heta_framework.evaluation import (
    AnswerContains,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    EvidenceRecallAtK,
    MultiHopRagBenchmark,
)
from heta_framework.evaluation.benchmarks import MultiHopRagMetric, multihop_rag_default_metrics
from heta_framework.kb.search.types import QueryResponse, QueryResult

pytestmark = pytest.mark.anyio

Collect = Callable[..., Awaitable[Any]]

_ARTICLES = [
    {
        "title": "Ferry stops",
        "author": None,
        "source": "Harbour News",
        "published_at": "2031-02-03T00:00:00+00:00",
        "category": "travel",
        "url": "https://news.invalid/ferry",
        "body": "The ferry will not sail on Monday.\nRepairs take a week.",
    },
    {"title": "Bridge opens", "source": "Coast Daily", "body": "The bridge opened on Sunday."},
]
_FACT = {
    "title": "Ferry stops",
    "url": "https://news.invalid/ferry",
    "source": "Harbour News",
    "fact": "Repairs take a week.",
}
_OTHER = {"title": "Bridge opens", "source": "Coast Daily", "fact": "The bridge opened on Sunday."}
_QUESTIONS = [
    {
        "query": "Which came first?",
        "answer": "the bridge",
        "question_type": "temporal_query",
        "evidence_list": [_FACT, _OTHER],
    },
    {"query": "Who sank?", "answer": "Insufficient information.", "question_type": "null_query", "evidence_list": []},
]


@pytest.fixture
def benchmark(tmp_path: Path) -> MultiHopRagBenchmark:
    (tmp_path / "corpus.json").write_text(json.dumps(_ARTICLES))
    (tmp_path / "MultiHopRAG.json").write_text(json.dumps(_QUESTIONS))
    return MultiHopRagBenchmark(tmp_path / "corpus.json", tmp_path / "MultiHopRAG.json")


def _response(*texts: tuple[str, str]) -> QueryResponse:
    """Results as (document id, text)."""
    results = (
        QueryResult(f"r{rank}", text, source={"document_id": document, "object_key": _key(document)})
        for rank, (document, text) in enumerate(texts)
    )
    return QueryResponse("m", tuple(results), answer="the bridge")


def _key(document: str) -> str:
    return f"raw/benchmarks/multihop_rag/all/{document}/{document}.txt"


async def test_articles_and_questions_are_read(benchmark: MultiHopRagBenchmark, collect: Collect) -> None:
    found = await collect(benchmark)
    ferry, bridge = found.documents
    assert ferry.data.decode() == (
        "Title: Ferry stops\nSource: Harbour News\nPublished at: 2031-02-03T00:00:00+00:00\n"
        "URL: https://news.invalid/ferry\n\nThe ferry will not sail on Monday.\nRepairs take a week."
    )
    assert bridge.data.decode() == "Title: Bridge opens\nSource: Coast Daily\n\nThe bridge opened on Sunday."
    assert ferry.metadata["category"] == "travel"
    assert "author" not in ferry.metadata
    question, null = found.cases
    assert (question.case_id, question.expected.answers) == ("multihop_rag_0000", ("the bridge",))
    assert question.labels == {"question_type": "temporal_query"}
    first, second = question.expected.evidence
    assert (first.reference_id, first.text) == (ferry.document_id, "Repairs take a week.")
    assert first.locator == {"source_key": ferry.raw_key(found.prepared.manifest)}
    assert second.reference_id == bridge.document_id
    assert (null.expected.answers, null.expected.evidence) == (("Insufficient information.",), ())
    assert found.units == [BenchmarkRunUnit("corpus")]


async def test_a_fact_is_found_where_its_text_stands_in_its_article(
    benchmark: MultiHopRagBenchmark, collect: Collect
) -> None:
    found = await collect(benchmark)
    ferry, bridge = (one.document_id for one in found.documents)
    recall = benchmark.evaluators()[0]
    assert recall == EvidenceRecallAtK(5, match="all")
    case = found.cases[0]
    right = await recall.evaluate(case=case, response=_response((ferry, "So: repairs take a week."), (bridge, "No.")))
    assert right.value == 0.5
    elsewhere = await recall.evaluate(case=case, response=_response((bridge, "Repairs take a week.")))
    assert elsewhere.value == 0.0


async def test_a_question_that_nothing_answers_is_labelled_for_its_answer_alone(
    benchmark: MultiHopRagBenchmark, collect: Collect
) -> None:
    null = (await collect(benchmark)).cases[1]
    labelled = {one.name: one.is_labelled(null) for one in benchmark.evaluators()}  # type: ignore[attr-defined]
    assert labelled.pop(AnswerContains().name)
    assert not any(labelled.values())
    for metric in multihop_rag_default_metrics():
        score = await metric.evaluate(case=null, response=_response(("x", "y")))
        assert score.metadata["skipped"] is True


async def test_the_papers_metrics(benchmark: MultiHopRagBenchmark, collect: Collect) -> None:
    case = (await collect(benchmark)).cases[0]
    texts = ["no", "Repairs\ntake  a week. And more.", "Repairs take a week.", "no", "The bridge opened on Sunday."]
    response = _response(*(("x", text) for text in texts))
    values = {}
    for metric in (*multihop_rag_default_metrics(), MultiHopRagMetric("hits", 1), MultiHopRagMetric("map", 4)):
        values[metric.name] = (await metric.evaluate(case=case, response=response)).value
    assert values == {
        "multihop_rag_mrr@10": 0.5,
        "multihop_rag_map@10": pytest.approx((1 / 2 + 1 / 5) / 2),
        "multihop_rag_hits@10": 1.0,
        "multihop_rag_hits@4": 1.0,
        "multihop_rag_hits@1": 0.0,
        "multihop_rag_map@4": pytest.approx(1 / 4),
    }


async def test_files_of_the_data_cache_are_used(
    benchmark: MultiHopRagBenchmark, collect: Collect, tmp_path: Path
) -> None:
    place = tmp_path / "data_cache" / "multihop_rag"
    place.mkdir(parents=True)
    for name in ("corpus.json", "MultiHopRAG.json"):
        (tmp_path / name).rename(place / name)
    assert len((await collect(MultiHopRagBenchmark())).cases) == 2
    assert (place / "corpus.json.sha256").exists()


async def test_without_files_it_says_where_to_put_them(workspace: BenchmarkWorkspace, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"multihop_rag.*corpus\.json \(missing\).*by hand"):
        await MultiHopRagBenchmark().prepare(workspace)
    with pytest.raises(FileNotFoundError, match="there is no file"):
        await MultiHopRagBenchmark(tmp_path / "a.json", tmp_path / "b.json").prepare(workspace)


@pytest.mark.parametrize(
    ("corpus", "questions", "message"),
    [
        ({}, _QUESTIONS, r"corpus\.json: found dict; expected an array"),
        ([{"body": "x"}], _QUESTIONS, r"corpus\.json: entry 0: found neither url nor title"),
        ([{"title": 3}], _QUESTIONS, r"corpus\.json: entry 0, title: "),
        (_ARTICLES, [{"query": "Who?"}, {"answer": "x"}], r"Rag\.json: entry 1, query: "),
        (_ARTICLES, [{"query": " "}], r"Rag\.json: entry 0: query must not be empty"),
        (_ARTICLES, [{"query": "?", "evidence_list": [{"fact": "x"}]}], r"Rag\.json: entry 0: found neither url"),
    ],
)
async def test_wrong_rows_are_named(
    tmp_path: Path, collect: Collect, corpus: Any, questions: Any, message: str
) -> None:
    paths = (tmp_path / "corpus.json", tmp_path / "Rag.json")
    for path, content in zip(paths, (corpus, questions), strict=True):
        path.write_text(json.dumps(content))
    with pytest.raises(DatasetFormatError, match=message):
        await collect(MultiHopRagBenchmark(*paths))


@pytest.mark.parametrize(("metric", "k"), [("recall", 1), ("hits", 0)])
def test_metrics_are_checked(metric: Any, k: int) -> None:
    with pytest.raises(ValueError, match=r"metric must be one of|k must be"):
        MultiHopRagMetric(metric, k)
